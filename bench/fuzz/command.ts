/** `npm run fuzz`: random sessions whose every request must keep the rules of the design. Counts every broken rule, and shrinks the first case of each. */
import { setImmediate as yieldToEvents } from "node:timers/promises";
import fc from "fast-check";
import { messageOf } from "#pi";
import { markdownTable } from "#replay/report";
import { count, createProgress, defineBench } from "../bench.ts";
import { loadLibrary } from "../pi-host.ts";
import { anyScript, type Script } from "./script.ts";
import { type RunCount, runScript } from "./session-run.ts";

export const bench = defineBench({
	flags: {
		runs: count("1000", "sessions", 0),
		seed: count("1", "of the sessions", 0),
		from: count("0", "sessions of this seed to skip, in whole thousands: continues an earlier run", 0),
	},
	notes: "Exit code 1 if a rule is broken.",
	async run({ values, signal }) {
		const started = performance.now();
		const progress = createProgress(values.runs, "sessions");
		let reported = 0;
		const { failures, ...totals } = await runCampaign(values, signal, (sessions, found) => {
			for (const failure of found.slice(reported)) console.error(JSON.stringify(failure));
			reported = found.length;
			progress(sessions, `${reported} broken rules`);
		});
		const { user, system } = process.cpuUsage();
		const seconds = Math.round((performance.now() - started) / 1_000);
		const perCpuSecond = Math.round(totals.sessions / ((user + system) / 1e6));
		const { VERSION: pi } = await loadLibrary();
		const figures = { pi, ...values, ...totals, seconds, perCpuSecond };
		return {
			figures: { ...figures, failures },
			lines: () => [
				...markdownTable([Object.keys(figures), Object.values(figures).map(String)]),
				...failures.map((failure) => JSON.stringify(failure)),
			],
			hasFailed: failures.length > 0,
		};
	},
});

/** Sessions per fast-check seed; a campaign can be continued at any multiple of it. */
const BATCH = 1_000;

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

/**
 * Runs a campaign, without the batches before session `from`; `onBatch` receives what it found after each batch. An abort ends it
 * after the current batch.
 */
export async function runCampaign(
	{ runs, seed, from }: Readonly<Record<"runs" | "seed" | "from", number>>,
	signal?: AbortSignal,
	onBatch: (sessions: number, failures: readonly Failure[]) => void = () => {},
): Promise<Campaign> {
	const failures: Failure[] = [];
	const sum = { sessions: 0, operations: 0, requests: 0, passes: 0, continued: 0 };
	for (let batch = Math.floor(from / BATCH); sum.sessions < runs && !signal?.aborted; batch++) {
		const settings = { numRuns: Math.min(BATCH, runs - sum.sessions), seed: seed + batch };
		for (const [index, script] of fc.sample(anyScript, settings).entries()) {
			sum.sessions += 1;
			const outcome = runOne(script);
			if (!("rule" in outcome)) {
				for (const key of ["operations", "requests", "passes", "continued"] as const)
					sum[key] += outcome[key];
				continue;
			}
			const known = failures.find(({ rule }) => rule === outcome.rule);
			if (known) known.count += 1;
			else failures.push({ ...shrink(script, outcome, index, settings), count: 1 });
		}
		onBatch(sum.sessions, failures);
		// Lets a signal arrive: a batch itself never waits.
		await yieldToEvents();
	}
	return { ...sum, failures };
}

type Broken = Pick<Failure, "rule" | "message">;

/** A broken rule is named by its message without numbers and names, so that equal failures are counted together. */
function runOne(script: Script): RunCount | Broken {
	try {
		return runScript(script);
	} catch (error) {
		const message = messageOf(error);
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
