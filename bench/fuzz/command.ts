/** `npm run fuzz`: random sessions whose every request must keep the rules of the design. fast-check shrinks the first broken case of each thousand. */
import fc from "fast-check";
import { messageOf } from "#pi";
import { markdownTable } from "#replay/report";
import { count, defineBench, forEachStep } from "../bench.ts";
import { loadLibrary } from "../pi-host.ts";
import { anyScript } from "./any-script.ts";
import { emptyCount, runScript } from "./session-run.ts";

export const bench = defineBench({
	flags: {
		runs: count("1000", "sessions", 0),
		seed: count("1", "of the sessions", 0),
		from: count("0", "sessions of this seed to skip, in whole thousands: continues an earlier run", 0),
	},
	notes: "Exit code 1 if a rule is broken.",
	async run({ values, signal }) {
		const started = performance.now();
		const { failures, ...totals } = await runCampaign(values, signal);
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

/** Runs a campaign, without the batches before session `from`. A batch ends at its first broken rule. */
export async function runCampaign(
	{ runs, seed, from }: Readonly<Record<"runs" | "seed" | "from", number>>,
	signal: AbortSignal,
) {
	/** Broken rules, each with the smallest case that was found, and fast-check's seed and path, which reproduce it. */
	const failures: object[] = [];
	const sum = emptyCount();
	const property = fc.property(anyScript, (script) => void runScript(script, sum));
	const first = seed + Math.floor(from / BATCH);
	const seeds = Array.from({ length: Math.ceil(runs / BATCH) }, (_, batch) => first + batch);
	await forEachStep(seeds, "batches of 1,000 sessions", signal, (seed, batch) => {
		const { failed, errorInstance, counterexample, counterexamplePath } = fc.check(property, {
			seed,
			numRuns: Math.min(BATCH, runs - batch * BATCH),
			interruptAfterTimeLimit: TIME_LIMIT,
			markInterruptAsFailure: true,
		});
		if (failed) {
			const message = messageOf(errorInstance ?? "it took too long");
			failures.push({ seed, path: counterexamplePath, message, script: counterexample?.[0] });
			console.error(JSON.stringify(failures.at(-1)));
		}
		return `${failures.length} broken`;
	});
	return { ...sum, failures };
}
