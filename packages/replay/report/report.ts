/** A replay as its page and its tables show it: the figures, the answer in a sentence, and the setting that a sweep recommends. */
import type { Run } from "../run/run.ts";
import type { RunSettings } from "../run/setup.ts";
import { advise } from "./advice.ts";
import { sumUp } from "./figures.ts";
import { describeVerdict } from "./verdict.ts";

export type Report = ReturnType<typeof createReport>;

export function createReport(run: Run, settings: RunSettings) {
	const figures = sumUp(run, settings);
	const advice = settings.isSweep ? advise(figures.policies) : null;
	return {
		...figures,
		/** The setting to take, where budgets were swept (`--what-if`). */
		advice,
		/** The answer in a sentence. */
		verdict: describeVerdict(figures, advice),
	};
}
