/**
 * The content that a pass leaves alone because providers refuse a request without it, or because the model has not
 * answered it yet.
 * No policy decides this: Algorithm 1 knows no providers, so this layer adjusts what it would take.
 */
import type { Episode, Graph } from "../graph/graph.ts";
import { type Item, type ItemId, isBlank } from "../transcript/transcript.ts";

/** Returns true if an item is evicted, by the log or by the plan that is being made. */
export type IsRemoved = (item: Item) => boolean;

/**
 * Returns a test: true if an item is out of the projection. A result leaves with its call and stays with it, and what a
 * person wrote stays, whatever a log says that somebody forged or damaged.
 */
export function removedBy(graph: Graph, isRemoved: (id: ItemId) => boolean): IsRemoved {
	return (item) => {
		if (item.type === "user") return false;
		const call = item.type === "result" ? graph.callOf.get(item.id) : undefined;
		return isRemoved(call ?? item.id);
	};
}

/**
 * The calls that keep the beginning of the tool loop in progress in sight, where that begins with reasoning: a provider
 * that reasons refuses a loop that begins without. Of the calls of its first answer it is the one that is
 * smallest together with its result. An answer without results failed, and then the host sends nothing of it, or a crash lost
 * them, and then it does: so what follows it is held too.
 */
function heldCalls(graph: Graph): ReadonlySet<ItemId> {
	const held = new Set<ItemId>();
	const sizeOf = ({ id, tokens }: Item) => tokens + (graph.resultOf.get(id)?.tokens ?? 0);
	for (const { author, items } of graph.messages.slice(graph.openLoop, endOfLoopStart(graph))) {
		if (author !== "model" || items.find((item) => !isBlank(item))?.type !== "reasoning") continue;
		const calls = items.filter(({ type }) => type === "call");
		const answered = calls.filter(({ id }) => graph.resultOf.has(id));
		const [least] = (answered.length > 0 ? answered : calls).toSorted((a, b) => sizeOf(a) - sizeOf(b));
		if (least) held.add(least.id);
	}
	return held;
}

/** Returns true if a message belongs to the beginning of the tool loop in progress, evicted or not. */
export function isLoopStart(graph: Graph, message: number): boolean {
	return message >= graph.openLoop && message < endOfLoopStart(graph);
}

/** The place after the first answer of the tool loop in progress that has results; before it there may be some that failed. */
function endOfLoopStart({ messages, openLoop, resultOf }: Graph): number {
	let end = openLoop;
	while (end < messages.length && !messages[end]?.items.some(({ id }) => resultOf.has(id))) end += 1;
	return end + 1;
}

/**
 * Answers whether a pass may take an item: nothing of the exchange in progress, nor what the open loop begins with, nor
 * a note right before it, without which it would begin earlier.
 */
export function evictableIn(graph: Graph): (item: Item) => boolean {
	const held = heldCalls(graph);
	const { lastExchange, openLoop } = graph;
	return ({ id, message }) => message < lastExchange && !held.has(id) && message !== openLoop - 1;
}

/**
 * Returns true if the episode cannot leave whole: part of it is in the exchange in progress, or the open loop begins
 * in it.
 */
export function isInProgress(graph: Graph, { items }: Episode): boolean {
	const last = items.at(-1);
	if (last === undefined) return false;
	if (last.message >= graph.lastExchange) return true;
	// What is held belongs to the open loop, or stands right before it.
	if (last.message < graph.openLoop - 1) return false;
	const isEvictable = evictableIn(graph);
	return items.some((item) => !isEvictable(item));
}

/**
 * Returns true for reasoning when everything that followed it, up to the next reasoning of its message, is evicted.
 * Providers refuse a reasoning item without the call or text that it led to; blank items never reach them.
 */
export function isOrphanedReasoning(graph: Graph, item: Item, gone: IsRemoved): boolean {
	if (item.type !== "reasoning") return false;
	const blocks = graph.messages[item.message]?.items ?? [];
	const rest = blocks.slice(blocks.indexOf(item) + 1).filter((block) => !isBlank(block));
	const start = rest.findIndex((block) => block.type !== "reasoning");
	const end = rest.findIndex((block, index) => index > start && block.type === "reasoning");
	return start >= 0 && rest.slice(start, end < 0 ? rest.length : end).every(gone);
}
