/** How fast the session grows, compared with its earlier growth. */
import type { Graph } from "../graph/graph.ts";

/** The window of the mean, in requests. */
const WINDOW = 5;
/** A spike is this many times the earlier mean: a runaway tool, or a loop. */
const SPIKE = 3;

export interface BurnRate {
	/** Mean tokens that each of the last five requests added. */
	readonly recent: number;
	/** The same for all earlier requests; 0 if there are none. */
	readonly before: number;
	readonly isSpike: boolean;
}

/** Measures the growth from request to request: an answer, and everything up to the next one. */
export function measureBurnRate({ history }: Pick<Graph, "history">): BurnRate {
	const { growth, grown } = history;
	const latest = growth.slice(-WINDOW);
	const inWindow = latest.reduce((sum, tokens) => sum + tokens, 0);
	const recent = inWindow / Math.max(1, latest.length);
	const before = (grown - inWindow) / Math.max(1, growth.length - latest.length);
	return { recent, before, isSpike: isSpike(recent, before) };
}

/** Returns true for a growth of at least three times the earlier one. Without an earlier one nothing is a spike. */
export function isSpike(recent: number, before: number): boolean {
	return before > 0 && recent >= SPIKE * before;
}
