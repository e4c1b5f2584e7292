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
export function removedBy(graph: Graph, isRemoved: (id: ItemId) => boolean): IsRemoved {
	return (item) => {
		if (item.type === "user") return false;
		const call = item.type === "result" ? graph.callOf.get(item.id) : undefined;
		return isRemoved(call ?? item.id);
	};
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
