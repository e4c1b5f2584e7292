/** Names for the parts that passes took, in place of ids. */
import type { ItemId } from "../transcript/transcript.ts";
import type { EpisodeId, Graph } from "./graph.ts";

/** The part of an episode that a pass took or reduced: its items, or the call of an output. */
type Part = { readonly episode: EpisodeId } & (
	| { readonly items: readonly ItemId[] }
	| { readonly item: ItemId }
);

/**
 * Returns a function that names the episode of a part. Its items decide before its id: after a compaction, the id of a cut episode is
 * unknown, and a note has the id of an older one of the same words; that one is in an earlier episode than the other items.
 */
export function createNamer({ episodes }: Pick<Graph, "episodes">): (part: Part) => string {
	const names = new Map(episodes.map(({ id, name }) => [id, name]));
	const places = new Map(episodes.flatMap(({ items }, place) => items.map(({ id }) => [id, place])));
	return ({ episode, ...part }) => {
		const items = "items" in part ? part.items : [part.item];
		const place = items.reduce((latest, item) => Math.max(latest, places.get(item) ?? -1), -1);
		const isUnmarked = episode.startsWith(" ");
		return episodes[place]?.name ?? names.get(episode) ?? (isUnmarked ? "unmarked text" : episode);
	};
}
