/** The program of `npm run bench`, for tests that run it as people do. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PROJECT } from "../../extensions/cwl/test-support/trial.ts";

const jiti = fileURLToPath(new URL("./jiti-cli.mjs", import.meta.resolve("jiti")));

export const BENCH: readonly [string, ...string[]] = [
	process.execPath,
	jiti,
	join(PROJECT, "bench", "main.ts"),
];
