/**
 * Ways that know nothing from one request to the next, timed. What they take grows with the history and faster: none
 * goes on beyond a limit, and what was cut short is an estimate.
 */
import { defaultToolTable, type FixedTokens, type Graph } from "#core";
import { stripNaively } from "./naive-algorithm.ts";

/** What a baseline may take, and the clock to see it by; both in ms. */
export interface Patience {
	readonly limit: number;
	readonly now: () => number;
}

/** Ms of each run of `work`, as many as were asked for or fit into the limit; one at least. */
export function timeWithin(times: number, work: () => unknown, { limit, now }: Patience): readonly number[] {
	const begun = now();
	const taken: number[] = [];
	do taken.push(timeOnce(work, now));
	while (taken.length < times && now() - begun < limit);
	return taken;
}

/** Ms of one run of `work`. */
export function timeOnce(work: () => unknown, now: () => number): number {
	const start = now();
	work();
	return now() - start;
}

export interface NaiveTiming {
	readonly ms: number;
	/** Whether it was cut short: then all steps are taken to free as much as those before. */
	readonly isEstimate: boolean;
}

/** One request by the naive algorithm. */
export function timeNaively(
	graph: Graph,
	budget: number,
	fixed: FixedTokens,
	{ limit, now }: Patience,
): NaiveTiming {
	const begun = now();
	let first: number | undefined;
	for (const total of stripNaively(graph, budget, fixed, defaultToolTable)) {
		first ??= total;
		const ms = now() - begun;
		if (ms > limit && total > budget && total < first)
			return { ms: (ms * (first - budget)) / (first - total), isEstimate: true };
	}
	return { ms: now() - begun, isEstimate: false };
}
