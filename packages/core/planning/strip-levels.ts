/** The items that each strip level takes from an episode (paper 4.4), in addition to the levels below it. */
import type { Episode, Graph } from "../graph/graph.ts";
import type { StripLevel } from "../log/pass.ts";
import { outputClass, type ToolTable } from "../transcript/tool-table.ts";
import { type Item, type ItemId, isBlank, type ToolCall } from "../transcript/transcript.ts";

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
	if (last !== undefined && last.message >= graph.lastExchange) return true;
	const isEvictable = evictableIn(graph);
	return items.some((item) => !isEvictable(item));
}

/**
 * The items that a level takes from an episode: whole calls with their results, nothing of the exchange in progress,
 * no failed call before level 4 (a model that cannot see its failure repeats it), and with them the reasoning that
 * led to nothing else.
 * A result is listed only when no call stands for it: it came twice or for nothing. Providers refuse such a result
 * once its call is gone, so it leaves with bulk outputs, before any call that it could belong to.
 */
export function itemsAtLevel(
	graph: Graph,
	episode: Episode,
	level: StripLevel,
	gone: IsRemoved,
	tools: ToolTable,
): readonly Item[] {
	const isEvictable = evictableIn(graph);
	const past = episode.items.filter((item) => isEvictable(item) && !gone(item));
	const items = past.filter((item) => isTaken(graph, item, level, tools));
	const taken = new Set(items.map((item) => item.id));
	const isGone: IsRemoved = (item) => taken.has(item.id) || gone(item);
	const orphans = past.filter((item) => !taken.has(item.id) && isOrphanedReasoning(graph, item, isGone));
	return [...items, ...orphans];
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

function isTaken(graph: Graph, item: Item, level: StripLevel, tools: ToolTable): boolean {
	switch (item.type) {
		case "user":
			return false;
		case "reasoning":
			// In the tool loop in progress providers want it back while anything that it led to is sent.
			return (level === 1 || level === 4) && item.message < graph.openLoop;
		case "call":
			return level === 4 || callLevel(graph, item, tools) === level;
		case "result":
			return (level === 2 || level === 4) && !graph.callOf.has(item.id);
		case "text":
		case "note":
			return level === 4;
		default:
			return item satisfies never;
	}
}

function callLevel(graph: Graph, call: ToolCall, tools: ToolTable): StripLevel {
	const result = graph.resultOf.get(call.id);
	if (result?.isError) return 4;
	const output = outputClass(tools, call, result?.tokens ?? 0);
	if (output === "bulk") return 2;
	return output === "intermediate" ? 3 : 4;
}

/** Tokens that leave with these items, results of calls included. */
export function tokensWithResults(graph: Graph, items: readonly Item[]): number {
	let tokens = 0;
	for (const item of items) {
		tokens += item.tokens;
		if (item.type === "call") tokens += graph.resultOf.get(item.id)?.tokens ?? 0;
	}
	return tokens;
}
