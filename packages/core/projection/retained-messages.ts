/** Where a view has left anything of a history that was evicted for the most part. */
import type { Episode, EpisodeId, Graph } from "../graph/graph.ts";
import { indexLineAnchors, type View } from "../log/view.ts";
import type { Item } from "../transcript/transcript.ts";

/**
 * Indexes of the messages, ascending, that a view has left anything of or set a line at, those where an episode begins
 * included, and every message of the `whole` episodes. Linear in what is left, and in the number of episodes.
 */
export function retainedMessages(
	graph: Graph,
	view: View,
	whole: ReadonlySet<EpisodeId> = new Set(),
): readonly number[] {
	const retained = new Set<number>(graph.history.empty);
	const retain = (items: readonly Item[]) => {
		for (const { message } of items) retained.add(message);
	};
	retain(graph.prologue);
	retain(graph.userMessages);
	const anchors = indexLineAnchors(view);
	for (const episode of graph.episodes) {
		const isLeft = whole.has(episode.id) || hasLeft(episode, view);
		// The first item is where its own line stands.
		if (isLeft) retain(episode.items);
		else if (anchors.size === 0) retain(episode.items.slice(0, 1));
		else retain(episode.items.filter(({ id }, index) => index === 0 || anchors.has(id)));
	}
	return [...retained].sort((a, b) => a - b);
}

/** Returns true if the view has left nothing of an episode but a line where it begins. */
function hasLeft({ id, items, tokens }: Episode, { episodes }: View): boolean {
	const account = episodes.get(id);
	if (account?.removedTokens !== tokens) return true;
	return account.marker !== undefined && account.marker.anchor !== items[0]?.id;
}
