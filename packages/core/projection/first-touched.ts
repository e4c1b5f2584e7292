/** Where the first change of a pass may be: what a request sends in front of that message, it sent before. */
import type { Episode, Graph } from "../graph/graph.ts";
import type { Pass, Strip } from "../log/pass.ts";

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
