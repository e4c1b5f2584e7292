/** The view of an eviction log: what all of its passes together removed. */

import { type Growing, sum } from "#basics";
import type { Episode, EpisodeId, Graph } from "../graph/graph.ts";
import { type ItemId, sumTokens } from "../transcript/transcript.ts";
import type { IndexLine, Marker, Pass, Reduction, Release, Strip, StripLevel } from "./pass.ts";

/** The state that a log amounts to: which items are removed, and how far each episode is stripped. */
export interface View {
	readonly removed: ReadonlySet<ItemId>;
	/** The pass that removed each item, or reduced the output of a call first, for passes that recorded their time. */
	readonly departures: ReadonlyMap<ItemId, Departure>;
	readonly episodes: ReadonlyMap<EpisodeId, EpisodeView>;
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
export function linesOf({ indexLines, episodes }: View): readonly Marker[] {
	return [...indexLines, ...episodes.values()].flatMap(({ marker }) => marker ?? []);
}

/** Tokens of the lines that a request sends for evicted episodes. */
export function markerTokens(view: View): number {
	return sumTokens(linesOf(view));
}

/** Tokens of the removed items. */
export function removedTokens({ episodes }: Pick<View, "episodes">): number {
	return sum(episodes.values(), (account) => account.removedTokens);
}

/** Tokens that a request is smaller by: those of removed items, and those that reduced outputs have lost. */
export function takenTokens(view: View): number {
	return removedTokens(view) + sumTokens(view.reduced.values());
}

/** The episodes that a view has left anything of, oldest first. */
export function retainedEpisodes({ episodes }: Graph, view: View): readonly Episode[] {
	return episodes.filter(({ id, tokens }) => tokens !== view.episodes.get(id)?.removedTokens);
}

/** The view of a whole log. */
export function viewOfLog(log: readonly Pass[]): View {
	const view = copyOf(emptyView);
	for (const pass of log) applyPass(view, pass);
	return view;
}

/** The view after one more pass; the given view does not change. */
export function viewAfter(view: View, pass: Pass): View {
	const next = copyOf(view);
	applyPass(next, pass);
	return next;
}

/**
 * Answers for one pass after another of a log what its parts free: without the line in the place of a part, and without what was
 * taken of it before. `start` is the view before the first of them; `lines` are the tokens that lines of several episodes save.
 */
export function createNetSizes(start: View = emptyView) {
	const view = copyOf(start);
	const sizeOf = () => takenTokens(view) - markerTokens(view);
	function apply<Part>(parts: readonly Part[] = [], add: (view: Growing<View>, part: Part) => void) {
		return parts.map((part) => {
			const before = sizeOf();
			add(view, part);
			return { ...part, tokens: sizeOf() - before };
		});
	}
	return <P extends Pass>(pass: P) => ({
		...pass,
		strips: apply(pass.strips, applyStrip),
		reductions: apply(pass.reductions, applyReduction),
		lines: sumTokens(apply(pass.indexLines, applyIndexLine)),
	});
}

const emptyView: View = {
	removed: new Set(),
	departures: new Map(),
	episodes: new Map(),
	indexLines: [],
	released: new Map(),
	reduced: new Map(),
	passes: 0,
	seams: new Map(),
	lastPassAt: undefined,
};

function copyOf(view: View): Growing<View> {
	return {
		...view,
		removed: new Set(view.removed),
		departures: new Map(view.departures),
		episodes: new Map(view.episodes),
		indexLines: [...view.indexLines],
		released: new Map(view.released),
		reduced: new Map(view.reduced),
		seams: new Map(view.seams),
	};
}

function applyPass(view: Growing<View>, pass: Pass) {
	const { strips, indexLines = [], reductions = [], releases = [], decision } = pass;
	view.passes += 1;
	view.lastPassAt = pass.newest ?? view.lastPassAt;
	if (decision?.reason === "next work begins") view.seams.set(view.passes, sumTokens(strips));
	noteDepartures(view, pass);
	// A text is shortened once: later requests begin with the same bytes.
	for (const release of releases)
		if (!view.released.has(release.item)) view.released.set(release.item, release);
	const indexed = new Set(view.indexLines.flatMap(({ episodes }) => episodes));
	for (const strip of strips) applyStrip(view, strip, indexed.has(strip.episode));
	for (const line of indexLines) applyIndexLine(view, line);
	for (const reduction of reductions) applyReduction(view, reduction);
}

function noteDepartures({ departures, passes }: Growing<View>, { newest, strips, reductions = [] }: Pass) {
	if (newest === undefined) return;
	const departure = { pass: passes, newest };
	for (const id of [...strips.flatMap(({ items }) => items), ...reductions.map(({ item }) => item)]) {
		if (!departures.has(id)) departures.set(id, departure);
	}
}

function applyStrip({ removed, reduced, episodes }: Growing<View>, strip: Strip, isIndexed = false) {
	// A strip that is in the log twice took its tokens once.
	const isNew = strip.items.some((item) => !removed.has(item));
	for (const item of strip.items) {
		removed.add(item);
		reduced.delete(item);
	}
	const earlier = episodes.get(strip.episode);
	episodes.set(strip.episode, {
		level: earlier && earlier.level > strip.level ? earlier.level : strip.level,
		removedTokens: (earlier?.removedTokens ?? 0) + (isNew ? strip.tokens : 0),
		marker: isIndexed ? undefined : (strip.marker ?? earlier?.marker),
	});
}

/** Detail only ever goes down, and what was removed is not shown again. */
function applyReduction({ removed, reduced }: Growing<View>, reduction: Reduction) {
	const { item, form } = reduction;
	if (!removed.has(item) && (reduced.get(item)?.form ?? 0) < form) reduced.set(item, reduction);
}

function applyIndexLine(view: Growing<View>, line: IndexLine) {
	view.indexLines = addIndexLine(view.indexLines, line);
	for (const id of line.episodes) {
		const earlier = view.episodes.get(id);
		if (earlier) view.episodes.set(id, { ...earlier, marker: undefined });
	}
}

/**
 * A line replaces those whose episodes it covers, also one of the same episodes. Adding a line again after a wider one
 * replaced it changes nothing.
 */
function addIndexLine(indexLines: readonly IndexLine[], line: IndexLine): IndexLine[] {
	const isWider = ({ episodes }: IndexLine) =>
		episodes.length > line.episodes.length && line.episodes.every((id) => episodes.includes(id));
	if (line.episodes.length === 0 || indexLines.some(isWider)) return [...indexLines];
	const own = new Set(line.episodes);
	const isCovered = ({ episodes }: IndexLine) => episodes.every((id) => own.has(id));
	const first = indexLines.findIndex(isCovered);
	const rest = indexLines.filter((earlier) => !isCovered(earlier));
	return first < 0 ? [...rest, line] : rest.toSpliced(first, 0, line);
}
