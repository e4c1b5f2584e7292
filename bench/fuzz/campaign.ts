/** Many scripts one after the other: every broken rule is counted, and its first case made as small as can be. */
import fc from "fast-check";
import { anyScript } from "./arbitrary.ts";
import type { Script } from "./operations.ts";
import { type RunCount, runScript } from "./session-run.ts";

/** Sessions that come from one seed; a campaign can be continued at any multiple of it. */
const BATCH = 1_000;

export interface CampaignSettings {
	readonly runs: number;
	readonly seed: number;
	/** Sessions of this seed that an earlier campaign ran; rounded down to whole batches. */
	readonly from: number;
}

/** A rule that was broken, with what repeats its first case. */
export interface Failure {
	readonly rule: string;
	count: number;
	/** What fast-check made the case from. */
	readonly seed: number;
	readonly path: string;
	readonly message: string;
	readonly script: Script | undefined;
}

export interface Campaign extends RunCount {
	readonly sessions: number;
	readonly failures: readonly Failure[];
}

/** Run a campaign; `onBatch` is told what it came to so far after each batch. */
export function runCampaign(
	{ runs, seed, from }: CampaignSettings,
	onBatch: (campaign: Campaign) => void = () => {},
): Campaign {
	const failures = new Map<string, Failure>();
	const sum = { sessions: 0, operations: 0, requests: 0, passes: 0 };
	for (let batch = Math.floor(from / BATCH); sum.sessions < runs; batch++) {
		const settings = { numRuns: Math.min(BATCH, runs - sum.sessions), seed: seed + batch };
		const broken = new Map<string, number>();
		const tally = fc.property(anyScript, (script) => {
			const outcome = runOne(script);
			sum.sessions += 1;
			if (outcome instanceof Error) broken.set(ruleOf(outcome), (broken.get(ruleOf(outcome)) ?? 0) + 1);
			else for (const key of ["operations", "requests", "passes"] as const) sum[key] += outcome[key];
		});
		fc.assert(tally, settings);
		for (const [rule, count] of broken) {
			const known = failures.get(rule);
			if (known) known.count += count;
			else failures.set(rule, { ...shrink(rule, settings), count });
		}
		onBatch({ ...sum, failures: [...failures.values()] });
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

/** What a message says without its figures and names. */
function ruleOf({ message }: Error): string {
	return message
		.replace(/"[^"]*"|`[^`]*`/g, "X")
		.replace(/\d+/g, "N")
		.slice(0, 100);
}

/** The smallest case of a batch that breaks this rule. */
function shrink(
	rule: string,
	settings: { readonly numRuns: number; readonly seed: number },
): Omit<Failure, "count"> {
	const breaks = (script: Script) => {
		const outcome = runOne(script);
		return outcome instanceof Error && ruleOf(outcome) === rule ? outcome : undefined;
	};
	const found = fc.check(
		fc.property(anyScript, (script) => breaks(script) === undefined),
		{ ...settings, interruptAfterTimeLimit: 60_000 },
	);
	const [script] = found.counterexample ?? [];
	const message = (script && breaks(script)?.message) ?? rule;
	return { rule, seed: found.seed, path: found.counterexamplePath ?? "", message, script };
}
