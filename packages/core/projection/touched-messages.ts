/** The messages that a view has left anything of, and the first one that a pass changes. */
import type { Episode, EpisodeId, Graph } from "../graph/graph.ts";
import type { Pass, Strip } from "../log/pass.ts";
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

/**
 * Index of a message that no change of the pass stands in front of; 0 if only the whole history would tell. Takes time
 * for the episodes from the first one that the pass took something of, not for older ones.
 */
export function firstTouched(
	{ episodes }: Pick<Graph, "episodes">,
	{ strips, folds = [], fades = [], releases = [] }: Pass,
): number {
	if (folds.length + fades.length + releases.length > 0) return 0;
	const wanted = new Map(strips.map((strip) => [strip.episode, strip]));
	if (wanted.size < strips.length) return 0;
	let first = Number.POSITIVE_INFINITY;
	for (let index = episodes.length - 1; index >= 0 && wanted.size > 0; index -= 1) {
		const episode = episodes[index];
		const strip = episode && wanted.get(episode.id);
		if (!strip) continue;
		const start = episode.items[0]?.message;
		if (start === undefined || !isWithin(episode, strip)) return 0;
		wanted.delete(episode.id);
		first = Math.min(first, start);
	}
	// An episode that the graph does not hold may have been anywhere.
	return wanted.size > 0 ? 0 : first;
}

/** Returns true if a strip names nothing but items of its episode, as every policy does. A log may be forged. */
function isWithin({ items }: Episode, strip: Strip): boolean {
	const own = new Set(items.map(({ id }) => id));
	return strip.items.every((id) => own.has(id)) && (!strip.marker || own.has(strip.marker.anchor));
}
