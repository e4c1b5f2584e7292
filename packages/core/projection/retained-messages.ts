/** Where a view has left anything of a history that was evicted for the most part. */
import type { EpisodeId, Graph } from "../graph/graph.ts";
import { retainedEpisodes } from "../log/retained-episodes.ts";
import { indexLineAnchors, type View } from "../log/view.ts";
import type { Item } from "../transcript/transcript.ts";

/**
 * Indexes of the messages, ascending, that a view has left anything of or set a line at, the first message of the first
 * episode, where the episode index stands, and every message of the `whole` episodes. Linear in what is left.
 */
export function retainedMessages(
	graph: Graph,
	view: View,
	whole: Iterable<EpisodeId> = [],
): readonly number[] {
	const { episodes, places, history } = graph;
	const retained = new Set<number>(history.empty);
	const retain = (items: readonly Item[]) => {
		for (const { message } of items) retained.add(message);
	};
	retain(graph.prologue);
	retain(graph.userMessages);
	const itemsOf = (id: EpisodeId) => episodes[places.get(id) ?? -1]?.items ?? [];
	for (const { items } of retainedEpisodes(graph, view)) retain(items);
	for (const id of whole) retain(itemsOf(id));
	for (const [id, { anchor }] of view.markers) {
		const items = itemsOf(id);
		retain(items[0]?.id === anchor ? items.slice(0, 1) : items);
	}
	retain(episodes[0]?.items.slice(0, 1) ?? []);
	retain(strayAnchors(graph, view));
	return [...retained].sort((a, b) => a - b);
}

/** The items of index lines that stand elsewhere, as in a log that was written for a longer list. */
function strayAnchors({ episodes }: Graph, view: View): readonly Item[] {
	const anchors = new Set(indexLineAnchors(view));
	anchors.delete(episodes[0]?.items[0]?.id ?? "");
	if (anchors.size === 0) return [];
	return episodes.flatMap(({ items }) => items.filter(({ id }) => anchors.has(id)));
}
