/**
 * Items that leave together, whoever evicts them: a result with its call, and reasoning with what it led to. Providers refuse
 * a request that holds one without the other.
 */
import type { Graph } from "../graph/graph.ts";
import { type Item, type ItemId, isBlank } from "../transcript/transcript.ts";

/** Returns true if an item is evicted, by the log or by the plan that is being made. */
export type IsRemoved = (item: Item) => boolean;

/**
 * Returns a test: true if an item is out of the projection. A result leaves with its call and stays with it, and what a
 * person wrote stays, whatever a log says that somebody forged or damaged.
 */
export function removedBy(graph: Graph, removed: Pick<ReadonlySet<ItemId>, "has">): IsRemoved {
	return (item) => {
		if (item.type === "user") return false;
		const call = item.type === "result" ? graph.callOf.get(item.id) : undefined;
		return removed.has(call ?? item.id);
	};
}

/**
 * Returns true for reasoning when everything that it led to is evicted: what follows it, up to the next reasoning of its
 * message. Blank text leaves with the block before it or behind it. Providers refuse reasoning without the call or text that
 * it led to. Some read a blank text as an empty answer unless it is next to a call.
 */
export function isOrphaned(graph: Graph, item: Item, gone: IsRemoved): boolean {
	const isText = item.type === "text" && isBlank(item);
	if (item.type !== "reasoning" && !isText) return false;
	const blocks = graph.messages[item.message]?.items ?? [];
	const at = blocks.indexOf(item);
	const after = blocks.slice(at + 1);
	if (isText) {
		const before = blocks.slice(0, at).findLast(isSpoken);
		const next = after.find(isSpoken) ?? nextSpoken(graph, item.message);
		return [before, next].some((block) => block !== undefined && isSpoken(block) && gone(block));
	}
	const led = upToReasoning(after.some(isSpoken) ? after.filter((block) => !isBlank(block)) : after);
	return led.length > 0 && led.every((block) => gone(block) || isOrphaned(graph, block, gone));
}

/** Returns true for a block that says or calls something. */
function isSpoken(block: Item): boolean {
	return block.type !== "reasoning" && !isBlank(block);
}

/** The first block that speaks in the answers right behind a message; answers that failed while they thought may stand between. */
function nextSpoken({ messages }: Graph, message: number): Item | undefined {
	for (let at = message + 1; at < messages.length; at += 1) {
		const { author = "host", items = [] } = messages[at] ?? {};
		if (author !== "model" && items.length > 0) return undefined;
		const spoken = items.find(isSpoken);
		if (spoken) return spoken;
	}
	return undefined;
}

/** The first blocks that are no reasoning. */
function upToReasoning(blocks: readonly Item[]): readonly Item[] {
	const start = blocks.findIndex(({ type }) => type !== "reasoning");
	const end = blocks.findIndex(({ type }, index) => index > start && type === "reasoning");
	return start < 0 ? [] : blocks.slice(start, end < 0 ? blocks.length : end);
}
