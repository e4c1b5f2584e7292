/**
 * The content that a pass leaves alone because providers refuse a request without it, or because the model has not
 * answered it yet.
 * No policy decides this: Algorithm 1 knows no providers, so this layer adjusts what it would take.
 */
import type { Episode, Graph } from "../graph/graph.ts";
import { heldCalls } from "../graph/loop-start.ts";
import type { Item } from "../transcript/transcript.ts";

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
 * Answers whether an episode cannot leave whole: part of it is in the exchange in progress, or the open loop begins
 * in it.
 */
export function inProgressIn(graph: Graph): (episode: Episode) => boolean {
	const isEvictable = evictableIn(graph);
	return ({ items }) => {
		const last = items.at(-1);
		if (last === undefined) return false;
		if (last.message >= graph.lastExchange) return true;
		// What is held belongs to the open loop, or stands right before it.
		if (last.message < graph.openLoop - 1) return false;
		return items.some((item) => !isEvictable(item));
	};
}
