/** How fast the session grows, and whether it does so faster than it used to. */
import type { Graph } from "../graph.ts";
import { sumTokens } from "../transcript.ts";

/** The window of the mean, in requests. */
const WINDOW = 5;
/** Times the mean of before: a run-away tool, or a loop. */
const SPIKE = 3;

export interface BurnRate {
	/** Tokens that a request added, on the mean of the last five. */
	readonly recent: number;
	/** The same of all requests before those; 0 before there are any. */
	readonly before: number;
	readonly isSpike: boolean;
}

/** Growth request by request: an answer, and all that came until the next. Linear in the session. */
export function measureBurnRate({ messages }: Pick<Graph, "messages">): BurnRate {
	const added: number[] = [];
	for (const { author, items } of messages) {
		if (author === "model") added.push(0);
		const last = added.length - 1;
		if (last >= 0) added[last] = (added[last] ?? 0) + sumTokens(items);
	}
	const recent = mean(added.slice(-WINDOW));
	const before = mean(added.slice(0, -WINDOW));
	return { recent, before, isSpike: before > 0 && recent >= SPIKE * before };
}

function mean(values: readonly number[]): number {
	return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
