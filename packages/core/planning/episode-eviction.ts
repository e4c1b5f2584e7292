/** When an episode is wholly evicted, and what is left in its place. */

import type { Episode, Graph } from "../graph/graph.ts";
import { markerText, partText } from "../projection/episode-lines.ts";
import type { Item } from "../transcript/transcript.ts";
import { evictableIn, inProgressIn } from "./evictable.ts";
import type { Eviction } from "./eviction.ts";
import type { PlanInput } from "./policy.ts";
import { isEvictableUnit, type Unit, type VisibleUnits } from "./units.ts";

export interface EpisodeEviction {
	/**
	 * Evicts what is left of an episode once none of its own calls that worked is: texts, notes, failed calls, the
	 * delimiter's. Then the same for the expls that were kept for it. Does nothing while the episode is open, spared, in
	 * the exchange in progress, or needed. Of an episode that left before, it takes what could not leave then. Unmarked work
	 * of which something stays gets a line where its calls left.
	 */
	close(episode: Episode): void;
	/** Returns true if an act that is not evicted declares the episode (design rule 5). */
	isNeeded(episode: Episode): boolean;
}

interface EvictionOptions {
	/** Episodes that stay, such as recent ones. */
	readonly isSpared: (episode: Episode) => boolean;
	/**
	 * True to evict episodes that reach into the exchange in progress: the line replaces all but the calls of that exchange,
	 * which leave with the next pass.
	 */
	readonly isAtSeam?: boolean;
}

/** Episodes are closed as a pass takes what is in them. */
export function createEpisodeEviction(
	input: PlanInput,
	visible: VisibleUnits,
	eviction: Eviction,
	{ isSpared, isAtSeam = false }: EvictionOptions,
): EpisodeEviction {
	const byId = new Map(visible.episodes.map((episode) => [episode.id, episode]));
	const isInProgress = inProgressIn(input.graph);
	const isEvictable = evictableIn(input.graph);
	const isNeeded = ({ id }: Episode) =>
		input.graph.dependents.get(id)?.some((act) => !eviction.isEvicted(act)) === true;
	const isHeld = (episode: Episode) =>
		episode.state === "open" ||
		(!isAtSeam && isInProgress(episode)) ||
		isSpared(episode) ||
		visible.unitsOf(episode).some((unit) => unit.isWork && !eviction.gone(unit.call) && isFree(unit)) ||
		isNeeded(episode);
	const isFree = (unit: Unit) => !isAtSeam || isEvictableUnit(unit, isEvictable);
	/** Everything but the work in progress. */
	const restOf = (episode: Episode) => {
		const calls = visible
			.unitsOf(episode)
			.filter(isFree)
			.flatMap((unit) => unit.items);
		const words = visible
			.restOf(episode)
			.filter((item) => !isRequiredReasoning(input.graph, item) && isEvictable(item));
		// A result that came twice is among the words of its episode and belongs to its call.
		return [...new Set([...words, ...calls])].filter((item) => !eviction.gone(item));
	};
	const close = (episode: Episode) => {
		if (eviction.isEvicted(episode.id)) {
			if (!isInProgress(episode)) eviction.take(episode, restOf(episode), 4);
			return;
		}
		if (isHeld(episode)) {
			if (episode.origin === "inferred") markPart(input, visible, eviction, episode);
			return;
		}
		if (!evictRest(input, eviction, episode, restOf(episode))) return;
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

/** Answers whether the episode is gone. A declared one stays when its line would save nothing. */
function evictRest(input: PlanInput, eviction: Eviction, episode: Episode, rest: readonly Item[]): boolean {
	const [anchor] = episode.items;
	// Unmarked work may be calls alone: once this pass has taken them, nothing else is left.
	const isTaken = episode.origin === "inferred" && eviction.freedBy(episode, []) > 0;
	if (!anchor || (rest.length === 0 && !isTaken)) return false;
	const text = markerText(episode);
	const marker = { anchor: anchor.id, text, tokens: input.countMarker(text) };
	const paysOff = marker.tokens < eviction.freedBy(episode, rest);
	if (!paysOff && episode.origin === "declared") return false;
	eviction.take(episode, rest, 4);
	if (paysOff) eviction.mark(episode, marker, true);
	return true;
}

/**
 * Sets the line of an episode that stays although a pass takes calls of it, where the first of them stood. The line of an earlier pass
 * stays as it is: another one would change the request at its place, which may be far in front of what this pass takes.
 */
function markPart(input: PlanInput, visible: VisibleUnits, eviction: Eviction, episode: Episode): void {
	if (input.view.episodes.get(episode.id)?.marker) return;
	const taken = visible.unitsOf(episode).filter(({ call }) => eviction.gone(call));
	const [first] = taken;
	if (!first) return;
	const items = taken.flatMap(({ items, result }) => (result ? [...items, result] : items));
	const text = partText(episode, items);
	const marker = { anchor: first.call.id, text, tokens: input.countMarker(text) };
	if (marker.tokens < eviction.freedBy(episode, [])) eviction.mark(episode, marker);
}
