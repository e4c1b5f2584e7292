/** What a model is told when its marks fall behind its work (nothing in CWL depends on it doing so). */

import type { Episode, Graph } from "../graph/graph.ts";
import { createIncrementalFold } from "../graph/incremental-fold.ts";
import { isOversized } from "../planning/oversized.ts";
import { quoteStart } from "../projection/quote.ts";
import { effectOf, type ToolTable } from "../transcript/tool-table.ts";
import { DELIMITER } from "./delimiter.ts";

/** In characters. */
const MAX_NAME_LENGTH = 80;
/** So many unmarked exchanges in a row are work that should be marked. */
const UNMARKED_EXCHANGES = 8;
/** Exchanges between one nudge and the next, and before the same words are said again. */
const PAUSE = 12;
const LONG_PAUSE = 60;

export interface Nudge {
	readonly text: string;
	/** Number of exchanges when it was given. */
	readonly exchange: number;
}

/** The line to attach to the next tool result, or nothing: at most one in a while. `budget` in tokens. */
export function nudgeFor(
	graph: Graph,
	tools: ToolTable,
	budget: number,
	last: Nudge | undefined,
): Nudge | undefined {
	const exchange = countExchanges(graph, 0);
	const since = last ? exchange - last.exchange : LONG_PAUSE;
	if (since < PAUSE) return undefined;
	const open = graph.episodes.findLast(({ state, origin }) => state === "open" && origin === "declared");
	const text = open ? openNudge(open, tools, budget) : unmarkedNudge(graph);
	if (text === undefined || (text === last?.text && since < LONG_PAUSE)) return undefined;
	return { text, exchange };
}

function openNudge(episode: Episode, tools: ToolTable, budget: number) {
	const { kind, items } = episode;
	const handle = quoteStart(episode.name, MAX_NAME_LENGTH);
	const isChange = items.some(
		(item) => item.type === "call" && effectOf(tools, item.tool, item.arguments) === "writes",
	);
	if (isOversized(episode, budget)) {
		return `${kind} ${handle} has grown large: end it${kind === "expl" ? " with what you learned" : ""} and start the next one, together with your next call.`;
	}
	if (kind === "expl" && isChange) {
		return `expl ${handle} changes things: end it with what you learned and start an act that depends on it, together with your next call.`;
	}
	return undefined;
}

function unmarkedNudge(graph: Graph): string | undefined {
	const last = graph.episodes.findLast(({ origin }) => origin === "declared")?.items.at(-1);
	if (countExchanges(graph, last ? last.message + 1 : 0) < UNMARKED_EXCHANGES) return undefined;
	return `this work is not marked: start an episode with ${DELIMITER}, together with your next call.`;
}

/** Model messages that made calls, from a message on. */
function countExchanges({ messages }: Graph, from: number): number {
	const exchanges = readExchanges(messages);
	return exchanges.length - 1 - exchanges.findLastIndex((index) => index < from);
}

/** Indexes of the model messages that made calls. */
const readExchanges = createIncrementalFold<number[]>(
	() => [],
	(exchanges, { author, items }, index) => {
		if (author === "model" && items.some(({ type }) => type === "call")) exchanges.push(index);
	},
);
