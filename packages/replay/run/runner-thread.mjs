// A thread is started with a file that Node can run by itself: jiti runs the rest. dist/ holds the built thread under this name.
import { createJiti } from "jiti";

await createJiti(import.meta.url).import("./runner-thread.ts");
