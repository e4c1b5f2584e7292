/**
 * Reads an eviction log for the transcript as it is now, which may have lost messages since the log was written. Sizes
 * are counted from the items and lines, not taken from the log.
 */
import { append } from "#basics";
import type { EpisodeId, Graph } from "../graph/graph.ts";
import { type Item, type ItemId, sumTokens } from "../transcript/transcript.ts";
import type { Marker, Pass, Reduction, StripLevel } from "./pass.ts";
import { type EpisodeView, type View, viewOfLog } from "./view.ts";
import { removedBy } from "./whole-calls.ts";

/** The view of a log over a graph that it may not have been written for. Linear in both. */
export function readLog(log: readonly Pass[], graph: Graph): View {
	const view = viewOfLog(log.map(fitTo(graph)));
	const items = new Set(graph.messages.flatMap((message) => message.items.map(({ id }) => id)));
	return {
		...view,
		episodes: recountEpisodes(graph, view),
		indexLines: view.indexLines.filter(({ marker }) => items.has(marker.anchor)),
		reduced: recountReductions(graph, view),
	};
}

/**
 * Hosts name notes by their words, so a new note may have the name of one that a pass took and a compaction dropped. A new note
 * comes after the newest item of the pass, or that item was dropped too. The pass is then read as if it named another item.
 * A pass that somebody forged may take a call without results that came twice: they leave with it, or no provider takes them.
 */
function fitTo({ messages, repeatOf }: Graph): (pass: Pass) => Pass {
	const items = new Map(messages.flatMap((message) => message.items.map((item) => [item.id, item] as const)));
	const repeats = new Map<ItemId, ItemId[]>();
	for (const [id, call] of repeatOf) append(repeats, call, id);
	return (pass) => {
		const end = pass.newest === undefined ? Infinity : (items.get(pass.newest)?.message ?? -1);
		const nameOf = (id: ItemId) => {
			const item = items.get(id);
			return item?.type === "note" && item.message > end ? `${id} of old` : id;
		};
		const isBefore = (id: ItemId) => (items.get(id)?.message ?? 0) <= end;
		const withRepeats = (id: ItemId) => [nameOf(id), ...(repeats.get(id) ?? []).filter(isBefore)];
		const strips = pass.strips.map((strip) => {
			return { ...strip, items: [...new Set(strip.items.flatMap(withRepeats))] };
		});
		return withMarkers({ ...pass, strips }, (marker) => ({ ...marker, anchor: nameOf(marker.anchor) }));
	};
}

/**
 * The items and tokens that the log evicted from each episode of this graph. A pass refers to episodes by id; when the
 * host has compacted its list, an episode may have lost its beginning and with it its id, so only the items are
 * reliable.
 */
export function recountEpisodes(graph: Graph, view: View): ReadonlyMap<EpisodeId, EpisodeView> {
	const gone = removedBy(graph, view.removed);
	const episodes = new Map<EpisodeId, EpisodeView>();
	// An episode that the list does not hold yet has lost nothing; its level is known all the same.
	for (const [id, { level }] of view.episodes) {
		episodes.set(id, { level, removedTokens: 0, marker: undefined });
	}
	for (const { id, items, state, tokens } of graph.episodes) {
		const removedTokens = sumTokens(items.filter(gone));
		const known = view.episodes.get(id);
		if (removedTokens === 0 && !known) continue;
		// To one that is open more may come.
		const isWholly = state === "closed" && removedTokens === tokens;
		const level: StripLevel = known?.level ?? (isWholly ? 4 : 1);
		episodes.set(id, { level, removedTokens, marker: isPlaced(known, items) ? known?.marker : undefined });
	}
	return episodes;
}

/** The reduced outputs of this graph. None is smaller by more than it has; one that is not in the list saves nothing. */
export function recountReductions({ resultOf }: Graph, { reduced }: View): ReadonlyMap<ItemId, Reduction> {
	return new Map(
		[...reduced].map(([id, reduction]) => {
			const tokens = Math.min(reduction.tokens, resultOf.get(id)?.tokens ?? 0);
			return [id, { ...reduction, tokens }];
		}),
	);
}

/** A line whose place is no longer in the list is not sent, so it does not count. */
function isPlaced(known: EpisodeView | undefined, items: readonly Item[]): boolean {
	return items.some((item) => item.id === known?.marker?.anchor);
}

/** Counts the tokens of the lines of a pass again. Sizes of strips are counted from the items. */
export function recountLines(pass: Pass, countMarker: (text: string) => number): Pass {
	return withMarkers(pass, (marker) => ({ ...marker, tokens: countMarker(marker.text) }));
}

function withMarkers(pass: Pass, change: (marker: Marker) => Marker): Pass {
	return {
		...pass,
		strips: pass.strips.map((strip) => (strip.marker ? { ...strip, marker: change(strip.marker) } : strip)),
		...(pass.indexLines && {
			indexLines: pass.indexLines.map((line) => ({ ...line, marker: change(line.marker) })),
		}),
	};
}
