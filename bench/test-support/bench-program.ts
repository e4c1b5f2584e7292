/** The program of `npm run bench`, for tests that run it as people do. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PROJECT, startTrial } from "../../extensions/cwl/test-support/trial.ts";

const jiti = fileURLToPath(new URL("./jiti-cli.mjs", import.meta.resolve("jiti")));

export const BENCH: readonly [string, ...string[]] = [
	process.execPath,
	jiti,
	join(PROJECT, "bench", "main.ts"),
];

/** Runs it next to a provider of its own that always answers "ok". */
export async function runBench(...args: readonly string[]) {
	const trial = await startTrial({ model: () => ({ text: "ok" }) });
	return await trial.run(args, { program: BENCH });
}
