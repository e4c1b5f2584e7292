/** `npm run fuzz`: random sessions whose every request must keep the rules of the design. Counts every broken rule, and shrinks the first case of each. */
import { setImmediate as yieldToEvents } from "node:timers/promises";
import fc from "fast-check";
import { markdownTable } from "#replay/report";
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
		for (const [index, script] of fc.sample(anyScript, settings).entries()) {
			sum.sessions += 1;
			const outcome = runOne(script);
			if ("rule" in outcome) {
				const known = failures.get(outcome.rule);
				if (known) known.count += 1;
				else failures.set(outcome.rule, { ...shrink(script, outcome, index, settings), count: 1 });
			} else for (const key of ["operations", "requests", "passes"] as const) sum[key] += outcome[key];
		}
		onBatch({ ...sum, failures: [...failures.values()] });
		// Lets a signal arrive: a batch itself never waits.
		await yieldToEvents();
	}
	return { ...sum, failures: [...failures.values()] };
}

type Broken = Pick<Failure, "rule" | "message">;

/** A broken rule is named by its message without numbers and names, so that equal failures are counted together. */
function runOne(script: Script): RunCount | Broken {
	try {
		return runScript(script);
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		const rule = message.replace(/"[^"]*"|`[^`]*`/g, "X").replace(/\d+/g, "N");
		return { rule: rule.slice(0, 100), message };
	}
}

/** The smallest case that breaks the same rule, as far as it is found within a minute. */
function shrink(
	script: Script,
	{ rule, message }: Broken,
	index: number,
	settings: { readonly numRuns: number; readonly seed: number },
): Omit<Failure, "count"> {
	let smallest = { message, script };
	const { counterexamplePath } = fc.check(
		fc.property(anyScript, (smaller) => {
			const outcome = runOne(smaller);
			if (!("rule" in outcome) || outcome.rule !== rule) return true;
			smallest = { message: outcome.message, script: smaller };
			return false;
		}),
		{ ...settings, path: String(index), interruptAfterTimeLimit: 60_000 },
	);
	return { rule, seed: settings.seed, path: counterexamplePath ?? String(index), ...smallest };
}
