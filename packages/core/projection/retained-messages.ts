/** Where something may still stand of a history that was evicted for the most part. */
import type { Episode, EpisodeId, Graph } from "../graph/graph.ts";
import { indexLineAnchors, type View } from "../log/view.ts";
import type { Item } from "../transcript/transcript.ts";

/**
 * Indexes of the messages, ascending, that a view has left anything of or set a line at, those where an episode begins
 * included. Of these episodes, every message. Linear in what is left, and in the items of episodes that the graph still has.
 */
export function retainedMessages(
	graph: Graph,
	view: View,
	whole: ReadonlySet<EpisodeId> = new Set(),
): readonly number[] {
	const standing = new Set<number>(graph.history.empty);
	const stand = (items: readonly Item[]) => {
		for (const { message } of items) standing.add(message);
	};
	stand(graph.prologue);
	stand(graph.userMessages);
	const anchors = indexLineAnchors(view);
	for (const episode of graph.episodes) {
		const isLeft = whole.has(episode.id) || hasLeft(episode, view);
		// The first item is where its own line stands.
		if (isLeft) stand(episode.items);
		else if (anchors.size === 0) stand(episode.items.slice(0, 1));
		else stand(episode.items.filter(({ id }, index) => index === 0 || anchors.has(id)));
	}
	return [...standing].sort((a, b) => a - b);
}

/** Returns true if the view has left nothing of an episode but a line where it begins. */
function hasLeft({ id, items, tokens }: Episode, { episodes }: View): boolean {
	const account = episodes.get(id);
	if (account?.removedTokens !== tokens) return true;
	return account.marker !== undefined && account.marker.anchor !== items[0]?.id;
}
