/** When an episode is wholly evicted, and what is left in its place. */

import type { Episode, Graph } from "../graph/graph.ts";
import { markerText } from "../projection/markers.ts";
import type { Item } from "../transcript/transcript.ts";
import { inProgressIn } from "./evictable.ts";
import type { Eviction } from "./eviction.ts";
import type { PlanInput } from "./policy.ts";
import type { VisibleUnits } from "./units.ts";

export interface EpisodeEviction {
	/**
	 * Evicts what is left of an episode once none of its own calls that worked is: texts, notes, failed calls, the
	 * delimiter's. Then the same for the expls that were kept for it. Does nothing while the episode is open, spared, in
	 * the exchange in progress, or needed.
	 */
	close(episode: Episode): void;
	/** Returns true if an act that is not evicted declares the episode (design rule 5). */
	isNeeded(episode: Episode): boolean;
}

/** Episodes are closed as a pass takes what is in them, except for those that `isSpared` names: recent ones, say. */
export function createEpisodeEviction(
	input: PlanInput,
	visible: VisibleUnits,
	eviction: Eviction,
	isSpared: (episode: Episode) => boolean,
): EpisodeEviction {
	const byId = new Map(visible.episodes.map((episode) => [episode.id, episode]));
	const isInProgress = inProgressIn(input.graph);
	const isNeeded = ({ id }: Episode) =>
		input.graph.dependents.get(id)?.some((act) => !eviction.isEvicted(act)) === true;
	const isHeld = (episode: Episode) =>
		episode.state === "open" ||
		isInProgress(episode) ||
		isSpared(episode) ||
		visible.unitsOf(episode).some((unit) => unit.isWork && !eviction.gone(unit.call)) ||
		isNeeded(episode);
	const close = (episode: Episode) => {
		if (eviction.isEvicted(episode.id) || isHeld(episode)) return;
		if (!evictRest(input, visible, eviction, episode)) return;
		for (const id of episode.dependencies) {
			const dependency = byId.get(id);
			if (dependency) close(dependency);
		}
	};
	return { close, isNeeded };
}

/** Providers want the reasoning of the tool loop in progress back, while anything that it led to is sent. */
export function isRequiredReasoning(graph: Graph, item: Item): boolean {
	return item.type === "reasoning" && item.message >= graph.openLoop;
}

/** Returns true if the episode was evicted. A declared one stays when its line would save nothing. */
function evictRest(input: PlanInput, visible: VisibleUnits, eviction: Eviction, episode: Episode): boolean {
	const calls = visible.unitsOf(episode).flatMap((unit) => unit.items);
	const words = visible.restOf(episode).filter((item) => !isRequiredReasoning(input.graph, item));
	// A result that came twice is among the words of its episode and belongs to its call.
	const rest = [...new Set([...words, ...calls])].filter((item) => !eviction.gone(item));
	const [anchor] = episode.items;
	if (!anchor || rest.length === 0) return false;
	const text = markerText(episode);
	const marker = { anchor: anchor.id, text, tokens: input.countMarker(text) };
	const paysOff = marker.tokens < eviction.freedBy(episode, rest);
	if (!paysOff && episode.origin === "declared") return false;
	eviction.take(episode, rest, 4);
	if (paysOff) eviction.mark(episode, marker);
	return true;
}
