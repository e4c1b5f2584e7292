/** `npm run fuzz`: random sessions whose every request must keep the rules of the design. fast-check shrinks the first broken case of each thousand. */
import { setImmediate as yieldToEvents } from "node:timers/promises";
import fc from "fast-check";
import { messageOf } from "#pi";
import { markdownTable } from "#replay/report";
import { count, createProgress, defineBench } from "../bench.ts";
import { loadLibrary } from "../pi-host.ts";
import { anyScript, type Script } from "./script.ts";
import { runScript } from "./session-run.ts";

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
		const { failures, ...totals } = await runCampaign(values, signal, (sessions, failures) => {
			progress(sessions, `${failures.length} broken`);
		});
		const seconds = Math.round((performance.now() - started) / 1_000);
		const { VERSION: pi } = await loadLibrary();
		const figures = { pi, ...values, ...totals, seconds };
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
/** For a batch and the shrinking of its first failure, in ms. */
const TIME_LIMIT = 600_000;

/** A broken rule, with the smallest case that was found, and the data that reproduce it. */
interface Failure {
	/** fast-check's seed and path of the case. */
	readonly seed: number;
	readonly path: string;
	readonly message: string;
	readonly script: Script | undefined;
}

/**
 * Runs a campaign, without the batches before session `from`; `onBatch` receives what was found after each batch. A batch ends at its
 * first broken rule, and an abort ends the campaign after the current batch.
 */
export async function runCampaign(
	{ runs, seed, from }: Readonly<Record<"runs" | "seed" | "from", number>>,
	signal?: AbortSignal,
	onBatch: (sessions: number, failures: readonly Failure[]) => void = () => {},
) {
	const failures: Failure[] = [];
	const sum = { sessions: 0, operations: 0, requests: 0, passes: 0, continued: 0 };
	for (let done = 0; done < runs && !signal?.aborted; done += BATCH) {
		const batch = seed + Math.floor(from / BATCH) + done / BATCH;
		const settings = { numRuns: Math.min(BATCH, runs - done), seed: batch };
		const property = fc.property(anyScript, (script) => {
			const { operations, requests, passes, continued } = runScript(script);
			sum.sessions += 1;
			sum.operations += operations;
			sum.requests += requests;
			sum.passes += passes;
			sum.continued += continued;
		});
		const found = fc.check(property, {
			...settings,
			interruptAfterTimeLimit: TIME_LIMIT,
			markInterruptAsFailure: true,
		});
		if (found.failed) {
			const [script] = found.counterexample ?? [];
			const message = messageOf(found.errorInstance ?? "it took too long");
			failures.push({ seed: batch, path: found.counterexamplePath ?? "", message, script });
			console.error(JSON.stringify(failures.at(-1)));
		}
		onBatch(done + settings.numRuns, failures);
		// Lets a signal arrive: a batch itself never waits.
		await yieldToEvents();
	}
	return { ...sum, failures };
}
