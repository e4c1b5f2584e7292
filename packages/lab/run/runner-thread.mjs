// A thread is started with a file that Node can run by itself: jiti runs the rest.
import { createJiti } from "jiti";

const { serveJobs } = await createJiti(import.meta.url).import("./runner-thread.ts");
await serveJobs();
