/** The episodes of a session that its log has left anything of. */
import type { Episode, Graph } from "../graph/graph.ts";
import type { View } from "./view.ts";

/** The episodes in front of `end` are final: closed, and no later message adds to them. `places` are those that are left. */
interface Final {
	readonly history: Graph["history"];
	readonly lateResults: number;
	readonly end: number;
	readonly places: readonly number[];
}

const knownFinal = new WeakMap<View["episodes"], Final>();

/**
 * The episodes that a view has left anything of, oldest first. Takes time in proportion to them and to the episodes that are new
 * since the last call with this view; in its first call, to all episodes.
 */
export function retainedEpisodes(graph: Graph, view: View): readonly Episode[] {
	const { places, end } = finalIn(graph, view);
	const { episodes } = graph;
	const known = places.flatMap((place) => episodes[place] ?? []);
	const left = [...known, ...episodes.slice(end)].filter((episode) => isRetained(episode, view));
	noteFinal(graph, view, left, end);
	return left;
}

function isRetained({ id, tokens }: Episode, view: View): boolean {
	return tokens !== view.episodes.get(id)?.removedTokens;
}

function finalIn({ history, lateResults, episodes }: Graph, view: View): Pick<Final, "places" | "end"> {
	const known = knownFinal.get(view.episodes);
	// A late result may have reached an episode that was closed, and another branch has other episodes.
	const holds = known?.history === history && known.lateResults === lateResults;
	return holds && known.end <= episodes.length ? known : { places: [], end: 0 };
}

function noteFinal(graph: Graph, view: View, left: readonly Episode[], from: number) {
	const { history, lateResults, episodes, lastExchange } = graph;
	let end = from;
	for (let next = episodes[end]; next && isFinal(next, lastExchange); next = episodes[end]) end += 1;
	const places = left.map(({ place }) => place).filter((place) => place < end);
	knownFinal.set(view.episodes, { history, lateResults, end, places });
}

function isFinal({ state, items }: Episode, lastExchange: number): boolean {
	return state === "closed" && (items.at(-1)?.message ?? lastExchange) < lastExchange;
}
