/**
 * Times baselines that keep nothing between requests. Their time grows faster than the history, so each stops at a
 * limit and the rest is extrapolated.
 */

import type { Graph } from "#core/graph";
import type { FixedTokens } from "#core/ledger";
import { defaultToolTable } from "#pi";
import { stripNaively } from "./naive-algorithm.ts";

/** The time limit of a baseline and its clock, both in ms. */
export interface Patience {
	readonly limit: number;
	readonly now: () => number;
}

/** Ms of each run of `work`: as many runs as asked for or as fit into the limit, at least one. */
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
	/** True if it was cut short; the estimate assumes that all steps free equally much. */
	readonly isEstimate: boolean;
}

/** Times one request by the naive algorithm. */
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
