/** How fast the session grows, and whether it does so faster than it used to. */
import type { Graph } from "../graph/graph.ts";
import { createIncrementalFold } from "../graph/incremental-fold.ts";
import { sumTokens } from "../transcript/transcript.ts";

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

/** Growth request by request: an answer, and all that came until the next. Linear in what is new. */
export function measureBurnRate({ messages }: Pick<Graph, "messages">): BurnRate {
	const { added, total } = readGrowth(messages);
	const latest = added.slice(-WINDOW);
	const inWindow = latest.reduce((sum, tokens) => sum + tokens, 0);
	const recent = inWindow / Math.max(1, latest.length);
	const before = (total - inWindow) / Math.max(1, added.length - latest.length);
	return { recent, before, isSpike: before > 0 && recent >= SPIKE * before };
}

/** Tokens that each request added, and all of them together. */
interface Growth {
	readonly added: number[];
	total: number;
}

const readGrowth = createIncrementalFold<Growth>(
	() => ({ added: [], total: 0 }),
	(growth, { author, items }) => {
		const { added } = growth;
		if (author === "model") added.push(0);
		if (added.length === 0) return;
		const tokens = sumTokens(items);
		added.push((added.pop() ?? 0) + tokens);
		growth.total += tokens;
	},
);
