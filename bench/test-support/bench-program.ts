/** The programs of this folder, for tests that run them as people do. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PROJECT } from "../../extensions/cwl/test-support/trial.ts";

/** A program of this folder, as the words of a command line. */
export function benchProgram(path: string): readonly [program: string, ...args: string[]] {
	const jiti = fileURLToPath(new URL("./jiti-cli.mjs", import.meta.resolve("jiti")));
	return [process.execPath, jiti, join(PROJECT, "bench", path)];
}

/** The program of `npm run bench`. */
export const BENCH = benchProgram("main.ts");
