/** The program of `npm run bench`, as the words of a command line. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PROJECT } from "../../extensions/cwl/test-support/trial.ts";

export const BENCH = [
	process.execPath,
	fileURLToPath(new URL("./jiti-cli.mjs", import.meta.resolve("jiti"))),
	join(PROJECT, "bench", "main.ts"),
] as const;
