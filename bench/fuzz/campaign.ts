/** Runs many scripts, counts every broken rule, and shrinks the first case of each. */
import { setImmediate as yieldToEvents } from "node:timers/promises";
import fc from "fast-check";
import { anyScript } from "./arbitrary.ts";
import type { Script } from "./operations.ts";
import { type RunCount, runScript } from "./session-run.ts";

/** Sessions per fast-check seed; a campaign can be continued at any multiple of it. */
const BATCH = 1_000;

export interface CampaignSettings {
	readonly runs: number;
	readonly seed: number;
	/** Sessions of this seed that an earlier campaign ran; rounded down to whole batches. */
	readonly from: number;
	/** Ends the campaign after the batch in progress. */
	readonly signal?: AbortSignal;
}

/** A broken rule, with the data that reproduces its first case. */
export interface Failure {
	readonly rule: string;
	count: number;
	/** fast-check's seed and path of the case. */
	readonly seed: number;
	readonly path: string;
	readonly message: string;
	readonly script: Script;
}

/** A session of a batch that broke a rule. */
interface Broken {
	/** Its place in the batch. */
	readonly index: number;
	readonly script: Script;
	readonly error: Error;
}

export interface Campaign extends RunCount {
	readonly sessions: number;
	readonly failures: readonly Failure[];
}

/** Runs a campaign; `onBatch` receives the totals after each batch. An abort ends it after the current batch. */
export async function runCampaign(
	{ runs, seed, from, signal }: CampaignSettings,
	onBatch: (campaign: Campaign) => void = () => {},
): Promise<Campaign> {
	const failures = new Map<string, Failure>();
	const sum = { sessions: 0, operations: 0, requests: 0, passes: 0 };
	for (let batch = Math.floor(from / BATCH); sum.sessions < runs && !signal?.aborted; batch++) {
		const settings = { numRuns: Math.min(BATCH, runs - sum.sessions), seed: seed + batch };
		const broken: Broken[] = [];
		let index = 0;
		const tally = fc.property(anyScript, (script) => {
			const outcome = runOne(script);
			if (outcome instanceof Error) broken.push({ index, script, error: outcome });
			else for (const key of ["operations", "requests", "passes"] as const) sum[key] += outcome[key];
			index += 1;
			sum.sessions += 1;
		});
		fc.assert(tally, settings);
		for (const found of broken) {
			const known = failures.get(ruleOf(found.error));
			if (known) known.count += 1;
			else failures.set(ruleOf(found.error), { ...shrink(found, settings), count: 1 });
		}
		onBatch({ ...sum, failures: [...failures.values()] });
		// Lets a signal arrive: a batch itself never waits.
		await yieldToEvents();
	}
	return { ...sum, failures: [...failures.values()] };
}

function runOne(script: Script): RunCount | Error {
	try {
		return runScript(script);
	} catch (error) {
		return error instanceof Error ? error : new Error(String(error));
	}
}

/** The message of a failure without its numbers and names, so that equal failures are counted together. */
function ruleOf({ message }: Error): string {
	return message
		.replace(/"[^"]*"|`[^`]*`/g, "X")
		.replace(/\d+/g, "N")
		.slice(0, 100);
}

/** The smallest case that breaks the same rule, as far as it is found within a minute. */
function shrink(
	{ index, script, error }: Broken,
	{ numRuns, seed }: { readonly numRuns: number; readonly seed: number },
): Omit<Failure, "count"> {
	const rule = ruleOf(error);
	const breaks = (smaller: Script) => {
		const outcome = runOne(smaller);
		return outcome instanceof Error && ruleOf(outcome) === rule ? outcome : undefined;
	};
	const found = fc.check(
		fc.property(anyScript, (smaller) => breaks(smaller) === undefined),
		{ numRuns, seed, path: String(index), interruptAfterTimeLimit: 60_000 },
	);
	const [smallest = script] = found.counterexample ?? [];
	const message = (breaks(smallest) ?? error).message;
	return { rule, seed, path: found.counterexamplePath ?? String(index), message, script: smallest };
}
