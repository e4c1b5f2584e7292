/** The episodes that the user pinned. No policy touches them; if they keep a pass from its target, it names them. */
import type { EpisodeId } from "../graph/graph.ts";
import type { Item } from "../transcript/transcript.ts";
import type { PlanInput } from "./policy.ts";

/**
 * Ids of the pinned episodes, and of episodes with a call that a result in a pinned one answers (call ids may repeat):
 * providers refuse a result without its call. Ids of episodes that are wholly evicted may be among them.
 */
export function protectedEpisodes({
	graph,
	view,
	pinned,
}: Pick<PlanInput, "graph" | "view" | "pinned">): ReadonlySet<EpisodeId> {
	if (!pinned || pinned.size === 0) return new Set();
	if (graph.strayResults === 0) return pinned;
	const isStray = (item: Item) => item.type === "result" && !graph.callOf.has(item.id);
	const wanted = new Set<string>();
	const left = graph.episodes.filter(({ id, tokens }) => tokens !== view.episodes.get(id)?.removedTokens);
	for (const { id, items } of left) {
		if (!pinned.has(id)) continue;
		for (const item of items) if (item.type === "result" && isStray(item)) wanted.add(item.callId);
	}
	const isWanted = (item: Item) => item.type === "call" && wanted.has(item.callId);
	const kept = left.filter(({ id, items }) => pinned.has(id) || items.some(isWanted));
	return new Set(kept.map(({ id }) => id));
}
