/** The view of an eviction log: what all of its passes together removed. */

import type { Growing } from "#basics";
import type { Episode, EpisodeId, Graph } from "../graph/graph.ts";
import type { ItemId } from "../transcript/transcript.ts";
import type { IndexLine, Marker, Pass, Reduction, Release, Strip, StripLevel } from "./pass.ts";

/** The state that a log amounts to: which items are removed, and how far each episode is stripped. */
export interface View {
	readonly removed: ReadonlySet<ItemId>;
	/** The pass that removed each item, or reduced the output of a call first, for passes that recorded their time. */
	readonly departures: ReadonlyMap<ItemId, Departure>;
	readonly episodes: ReadonlyMap<EpisodeId, EpisodeView>;
	/** The lines of single episodes. */
	readonly markers: ReadonlyMap<EpisodeId, Marker>;
	/** The episode index, oldest line first. */
	readonly indexLines: readonly IndexLine[];
	/** User messages that may be shortened, by item. */
	readonly released: ReadonlyMap<ItemId, Release>;
	/** Outputs that are sent at lower detail, by their call; without those that were removed since. */
	readonly reduced: ReadonlyMap<ItemId, Reduction>;
	readonly passes: number;
	/** Tokens that passes at seams took, by the number of the pass. */
	readonly seams: ReadonlyMap<number, number>;
	/** The last item of the session when the last pass was made; undefined where no pass recorded its time. */
	readonly lastPassAt: ItemId | undefined;
	/** Tokens that the outputs in `reduced` are smaller than whole. */
	readonly reducedTokens: number;
	/** Sums over `episodes`, and over the markers of `episodes` and `indexLines`. */
	readonly removedTokens: number;
	readonly markerTokens: number;
}

/** The time at which an item was removed. */
export interface Departure {
	/** Number of the pass, counted from 1. */
	readonly pass: number;
	/** The last item of the session when it was made. */
	readonly newest: ItemId;
}

/** The account of one stripped episode. */
export interface EpisodeView {
	readonly level: StripLevel;
	/** Tokens of the removed items. */
	readonly removedTokens: number;
	/** The line in its place, unless a line of the episode index covers it. */
	readonly marker: Marker | undefined;
}

/** Returns true if a log speaks of an item: its account is read again when the item comes back. */
export function isLogged({ removed, reduced }: View, id: ItemId): boolean {
	return removed.has(id) || reduced.has(id);
}

/** All lines of a view, the episode index first. */
export function linesOf({ indexLines, markers }: View): readonly Marker[] {
	return [...indexLines.map(({ marker }) => marker), ...markers.values()];
}

/** The episodes that a view has left anything of, oldest first. */
export function retainedEpisodes({ episodes }: Graph, view: View): readonly Episode[] {
	return episodes.filter(({ id, tokens }) => tokens !== view.episodes.get(id)?.removedTokens);
}

/** The view of a whole log. */
export function viewOfLog(log: readonly Pass[]): View {
	const builder = createViewBuilder();
	for (const pass of log) builder.append(pass);
	return builder.read();
}

/** The view after one more pass; the given view does not change. */
export function viewAfter(view: View, pass: Pass): View {
	const builder = createViewBuilder(view);
	builder.append(pass);
	return builder.read();
}

const emptyView: View = {
	removed: new Set(),
	departures: new Map(),
	episodes: new Map(),
	markers: new Map(),
	indexLines: [],
	released: new Map(),
	reduced: new Map(),
	passes: 0,
	seams: new Map(),
	lastPassAt: undefined,
	reducedTokens: 0,
	removedTokens: 0,
	markerTokens: 0,
};

/** A view that grows with its log. */
export type ViewBuilder = ReturnType<typeof createViewBuilder>;

/** Starts from a copy of a view. */
export function createViewBuilder(from: View = emptyView) {
	const view: Growing<View> = {
		...from,
		removed: new Set(from.removed),
		departures: new Map(from.departures),
		episodes: new Map(from.episodes),
		markers: new Map(from.markers),
		released: new Map(from.released),
		seams: new Map(from.seams),
		reduced: new Map(from.reduced),
		indexLines: [...from.indexLines],
	};
	const indexed = new Set<EpisodeId>(from.indexLines.flatMap(({ episodes }) => episodes));
	return {
		append(pass: Pass) {
			view.passes += 1;
			view.lastPassAt = pass.newest ?? view.lastPassAt;
			noteDepartures(view, pass);
			noteReleases(view, pass);
			for (const strip of pass.strips) applyStrip(view, strip, indexed.has(strip.episode));
			for (const line of pass.folds ?? []) {
				for (const id of line.episodes) indexed.add(id);
				applyIndexLine(view, line);
			}
			for (const reduction of pass.reductions ?? []) applyReduction(view, reduction);
		},
		/** Replaces the accounts of all episodes and reduced outputs by recounted ones. */
		replaceAccounts(episodes: ReadonlyMap<EpisodeId, EpisodeView>, reduced: ReadonlyMap<ItemId, Reduction>) {
			view.episodes.clear();
			view.markers.clear();
			view.removedTokens = 0;
			view.markerTokens = sumMarkers(view.indexLines);
			for (const [id, account] of episodes) setAccount(view, id, account);
			view.reducedTokens = 0;
			view.reduced.clear();
			for (const reduction of reduced.values()) applyReduction(view, reduction);
		},
		/** The live view: later `append` calls extend it in place. */
		read: (): View => view,
	};
}

/** A text is shortened once: later requests begin with the same bytes. */
function noteReleases({ released }: Growing<View>, { releases = [] }: Pass) {
	for (const release of releases) if (!released.has(release.item)) released.set(release.item, release);
}

function noteDepartures({ departures, seams, passes }: Growing<View>, pass: Pass) {
	const { newest, strips, reductions = [], decision } = pass;
	if (decision?.reason === "next work begins") {
		const taken = strips.reduce((sum, { tokens }) => sum + tokens, 0);
		seams.set(passes, taken);
	}
	if (newest === undefined) return;
	const departure = { pass: passes, newest };
	for (const id of [...strips.flatMap(({ items }) => items), ...reductions.map(({ item }) => item)]) {
		if (!departures.has(id)) departures.set(id, departure);
	}
}

function setAccount(view: Growing<View>, id: EpisodeId, account: EpisodeView) {
	const earlier = view.episodes.get(id);
	view.removedTokens += account.removedTokens - (earlier?.removedTokens ?? 0);
	view.markerTokens += (account.marker?.tokens ?? 0) - (earlier?.marker?.tokens ?? 0);
	view.episodes.set(id, account);
	if (account.marker) view.markers.set(id, account.marker);
	else view.markers.delete(id);
}

function sumMarkers(indexLines: readonly IndexLine[]): number {
	return indexLines.reduce((sum, { marker }) => sum + marker.tokens, 0);
}

function applyStrip(view: Growing<View>, strip: Strip, isIndexed: boolean) {
	const { removed, episodes } = view;
	// A strip that is in the log twice took its tokens once.
	const isNew = strip.items.some((item) => !removed.has(item));
	for (const item of strip.items) {
		removed.add(item);
		dropReduction(view, item);
	}
	const earlier = episodes.get(strip.episode);
	setAccount(view, strip.episode, {
		level: earlier && earlier.level > strip.level ? earlier.level : strip.level,
		removedTokens: (earlier?.removedTokens ?? 0) + (isNew ? strip.tokens : 0),
		marker: isIndexed ? undefined : (strip.marker ?? earlier?.marker),
	});
}

/** Detail only ever goes down, and what was removed is not shown again. */
function applyReduction(view: Growing<View>, reduction: Reduction) {
	const earlier = view.reduced.get(reduction.item);
	if (view.removed.has(reduction.item) || (earlier && earlier.form >= reduction.form)) return;
	view.reducedTokens += reduction.tokens - (earlier?.tokens ?? 0);
	view.reduced.set(reduction.item, reduction);
}

function dropReduction(view: Growing<View>, item: ItemId) {
	view.reducedTokens -= view.reduced.get(item)?.tokens ?? 0;
	view.reduced.delete(item);
}

function applyIndexLine(view: Growing<View>, line: IndexLine) {
	const indexLines = addIndexLine(view.indexLines, line);
	view.markerTokens += sumMarkers(indexLines) - sumMarkers(view.indexLines);
	view.indexLines = [...indexLines];
	for (const id of line.episodes) {
		const earlier = view.episodes.get(id);
		if (earlier?.marker) setAccount(view, id, { ...earlier, marker: undefined });
	}
}

/**
 * A line replaces those whose episodes it covers, also one of the same episodes. Adding a line again after a wider one
 * replaced it changes nothing.
 */
function addIndexLine(indexLines: readonly IndexLine[], line: IndexLine): readonly IndexLine[] {
	const isWider = ({ episodes }: IndexLine) =>
		episodes.length > line.episodes.length && line.episodes.every((id) => episodes.includes(id));
	if (line.episodes.length === 0 || indexLines.some(isWider)) return indexLines;
	const own = new Set(line.episodes);
	const isCovered = ({ episodes }: IndexLine) => episodes.every((id) => own.has(id));
	const first = indexLines.findIndex(isCovered);
	const rest = indexLines.filter((earlier) => !isCovered(earlier));
	return first < 0 ? [...rest, line] : rest.toSpliced(first, 0, line);
}
