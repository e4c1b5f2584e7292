/** Names for the parts that passes took, in place of ids. */
import type { Graph } from "../graph/graph.ts";
import type { Reduction, Strip } from "./pass.ts";

/**
 * Returns a function that names the episode of a part. Its items decide before its id: after a compaction, the id of a cut episode is
 * unknown. A note does not decide: it may then have the id of an older one of the same words.
 */
export function createNamer({ episodes }: Pick<Graph, "episodes">) {
	const names = new Map(episodes.map(({ id, name }) => [id, name]));
	const holders = new Map<string, string>();
	for (const { name, items } of episodes)
		for (const { id, type } of items) if (type !== "note") holders.set(id, name);
	return (part: Pick<Strip, "episode" | "items"> | Pick<Reduction, "episode" | "item">): string => {
		const { episode } = part;
		const item = "item" in part ? part.item : part.items.find((id) => holders.has(id));
		const unknown = episode.startsWith(" ") ? "unmarked text" : episode;
		return holders.get(item ?? "") ?? names.get(episode) ?? unknown;
	};
}
