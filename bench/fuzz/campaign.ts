/** `npm run fuzz`: random sessions whose every request must keep the rules of the design. Counts every broken rule, and shrinks the first case of each. */
import { setImmediate as yieldToEvents } from "node:timers/promises";
import fc from "fast-check";
import { markdownTable } from "#replay";
import { createProgress, defineBench, readCount } from "../bench.ts";
import { loadLibrary } from "../pi-host.ts";
import { anyScript, type Script } from "./script.ts";
import { type RunCount, runScript } from "./session-run.ts";

export const bench = defineBench({
	flags: {
		runs: { type: "string", default: "1000", about: "sessions" },
		seed: { type: "string", default: "1", about: "of the sessions" },
		from: {
			type: "string",
			default: "0",
			about: "sessions of this seed to skip, in whole thousands: continues an earlier run",
		},
	},
	notes: "Exit code 1 if a rule is broken.",
	async run({ values, signal }) {
		const whole = (name: "runs" | "seed" | "from") => readCount(name, values[name], 0);
		const settings = { runs: whole("runs"), seed: whole("seed"), from: whole("from") };
		const started = performance.now();
		const campaign = await runCampaign({ ...settings, signal }, createReporter(settings.runs));
		const { user, system } = process.cpuUsage();
		const seconds = Math.round((performance.now() - started) / 1_000);
		const perCpuSecond = Math.round(campaign.sessions / ((user + system) / 1e6));
		const { failures, ...totals } = campaign;
		const { VERSION: pi } = await loadLibrary();
		const figures = { pi, ...settings, ...totals, seconds, perCpuSecond };
		return {
			figures: { ...figures, failures },
			text: () =>
				[
					...markdownTable([Object.keys(figures), Object.values(figures).map(String)]),
					...failures.map((failure) => JSON.stringify(failure)),
					"",
				].join("\n"),
			hasFailed: failures.length > 0,
		};
	},
});

/** Prints each failure once, and the progress after each batch. */
function createReporter(runs: number): (campaign: Campaign) => void {
	const progress = createProgress(runs, "sessions");
	let reported = 0;
	return ({ sessions, failures }) => {
		for (const failure of failures.slice(reported)) console.error(JSON.stringify(failure));
		reported = failures.length;
		progress(sessions, `${failures.length} broken rules`);
	};
}

/** Sessions per fast-check seed; a campaign can be continued at any multiple of it. */
const BATCH = 1_000;

interface CampaignSettings {
	readonly runs: number;
	readonly seed: number;
	/** Sessions of this seed that an earlier campaign ran; rounded down to whole batches. */
	readonly from: number;
	/** Ends the campaign after the batch in progress. */
	readonly signal?: AbortSignal;
}

/** A broken rule, with the data that reproduces its first case. */
interface Failure {
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

interface Campaign extends RunCount {
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
