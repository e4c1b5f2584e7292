/** A fingerprint of what the engine decides: it changes when any request of ten worker sessions or of the sample session does. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { PROJECT } from "../pi-host.ts";
import { parseConditions } from "../single-session/conditions.ts";
import { generatedStage, runCondition } from "../single-session/run.ts";

const SESSIONS = 10;
const TASKS = 8;
const BUDGET = "16k";

/** Twelve hex digits. Takes some seconds. */
export async function fingerprintEngine(): Promise<string> {
	const sizes = [];
	for (let seed = 1; seed <= SESSIONS; seed += 1) sizes.push(await workerSizes(seed));
	return createHash("sha256")
		.update(JSON.stringify([sizes, await sampleFigures()]))
		.digest("hex")
		.slice(0, 12);
}

/** Tokens of each request of a worker session. Every second worker marks nothing. */
async function workerSizes(seed: number): Promise<readonly number[]> {
	const [condition] = parseConditions(seed % 2 === 0 ? "cwl-unmarked-100" : "cwl", BUDGET);
	if (!condition) throw new RangeError("one policy and one budget make one condition");
	const stage = generatedStage("hard", seed, TASKS);
	const { signal } = new AbortController();
	const { requests } = await runCondition({ ...stage, condition, seed, signal });
	return requests.map(({ input }) => input);
}

async function sampleFigures(): Promise<unknown> {
	const args = ["replay", "docs/sample.jsonl", "--policy", "none,paper,cwl", "--budget", "20k"];
	const { stdout } = await promisify(execFile)(
		process.execPath,
		["packages/cli/bin.mjs", ...args, "--json", "--no-times"],
		{ cwd: PROJECT },
	);
	const report: { readonly policies: readonly unknown[] } = JSON.parse(stdout);
	return report.policies;
}
