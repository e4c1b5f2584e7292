/**
 * The eviction log: append-only decisions, kept in the session on its branch. The projection is a function of
 * transcript and log, so each pass names the items that it took rather than the rule that chose them.
 */

import type { EpisodeId } from "../graph/graph.ts";
import type { Decision } from "../planning/economics.ts";
import type { ItemId } from "../transcript/transcript.ts";

/** 1 reasoning, 2 bulk outputs, 3 intermediate artifacts, 4 the whole episode (paper 4.4). */
export type StripLevel = 1 | 2 | 3 | 4;

/** One line that stays where an evicted episode stood. */
export interface Marker {
	/** The item in whose place the line stands. */
	readonly anchor: ItemId;
	readonly text: string;
	/** Size on the wire, framing included. */
	readonly tokens: number;
}

export interface Strip {
	readonly episode: EpisodeId;
	readonly level: StripLevel;
	/** Taken by this strip. A call stands for its result too. */
	readonly items: readonly ItemId[];
	/** Tokens taken away, the marker not yet counted. */
	readonly tokens: number;
	readonly marker?: Marker;
}

/** One line of the episode index: it stands for several evicted episodes, in place of the lines that they had. */
export interface Fold {
	readonly episodes: readonly EpisodeId[];
	readonly marker: Marker;
}

/** A person's word that an old message of theirs may be cut: only the beginning and the end of its text stay. */
export interface Release {
	readonly item: ItemId;
	/** Characters that stay in front, and at the end. */
	readonly head: number;
	readonly tail: number;
	/** The line that stands between them. */
	readonly mark: string;
	/** Tokens taken away, the mark already counted. */
	readonly tokens: number;
}

/** Something that a pass may not touch while the context is over budget, and what the user could do about it. */
export interface Blocker {
	readonly what: string;
	readonly tokens: number;
	readonly remedy: string;
}

/** One eviction pass: what it took, and why it stopped. All sizes in tokens. */
export interface Pass {
	readonly version: 1;
	readonly policy: string;
	readonly budget: number;
	readonly before: number;
	readonly after: number;
	readonly strips: readonly Strip[];
	/** Made after the strips; absent in passes that fold nothing. */
	readonly folds?: readonly Fold[];
	/** Only in passes that a person asked for. */
	readonly releases?: readonly Release[];
	/** Episodes that it stripped before their end, because the budget would have broken; absent when it did not. */
	readonly lastResort?: readonly EpisodeId[];
	/** Empty when the pass met its target. */
	readonly blockers: readonly Blocker[];
	/** What it was expected to cost and to save; absent where nobody works it out. */
	readonly decision?: Decision;
	/** The last item of the session when it was made; absent in logs of before this was kept. */
	readonly newest?: ItemId;
}

/** What the log amounts to: which items are gone, and how far each episode has been stripped. */
export interface View {
	readonly removed: ReadonlySet<ItemId>;
	/** When each item left that is gone, as far as it is known. */
	readonly departures: ReadonlyMap<ItemId, Departure>;
	readonly episodes: ReadonlyMap<EpisodeId, EpisodeView>;
	/** The lines that stand, by the episode that each of them stands for. */
	readonly markers: ReadonlyMap<EpisodeId, Marker>;
	/** The episode index, oldest line first. */
	readonly folds: readonly Fold[];
	/** What people released of their own messages, by item. */
	readonly released: ReadonlyMap<ItemId, Release>;
	readonly passes: number;
	/** Sums over `episodes`, and over the markers of episodes and folds. */
	readonly removedTokens: number;
	readonly markerTokens: number;
}

export interface Departure {
	/** Number of the pass, counted from 1. */
	readonly pass: number;
	/** The last item of the session when it was made. */
	readonly newest: ItemId;
}

export interface EpisodeView {
	readonly level: StripLevel;
	/** Tokens of the items that are gone. */
	readonly removedTokens: number;
	/** The line that stays for it, unless a fold stands for it. */
	readonly marker: Marker | undefined;
}

export interface ViewFold {
	append(pass: Pass): void;
	/** Replace the accounts of the episodes by ones counted anew. */
	restate(episodes: ReadonlyMap<EpisodeId, EpisodeView>): void;
	read(): View;
}

/** Every line that a view sets, the episode index first. */
export function linesOf({ folds, markers }: View): readonly Marker[] {
	return [...folds.map(({ marker }) => marker), ...markers.values()];
}

/** The items where lines of the episode index stand. */
export function foldAnchors({ folds }: View): ReadonlySet<ItemId> {
	return new Set(folds.map(({ marker }) => marker.anchor));
}

/** The view of a whole log. */
export function foldLog(log: readonly Pass[]): View {
	const fold = createViewFold();
	for (const pass of log) fold.append(pass);
	return fold.read();
}

/** The view after one more pass; the given one stays as it is. */
export function viewAfter(view: View, pass: Pass): View {
	const fold = createViewFold(view);
	fold.append(pass);
	return fold.read();
}

const nothing: View = {
	removed: new Set(),
	departures: new Map(),
	episodes: new Map(),
	markers: new Map(),
	folds: [],
	released: new Map(),
	passes: 0,
	removedTokens: 0,
	markerTokens: 0,
};

/** Start from a copy of a view. Contract: `read` returns the live view, which later `append` calls extend in place. */
export function createViewFold(from: View = nothing): ViewFold {
	const view: GrowingView = {
		...from,
		removed: new Set(from.removed),
		departures: new Map(from.departures),
		episodes: new Map(from.episodes),
		markers: new Map(from.markers),
		released: new Map(from.released),
	};
	const folded = new Set<EpisodeId>(from.folds.flatMap(({ episodes }) => episodes));
	return {
		append(pass) {
			view.passes += 1;
			noteDepartures(view, pass);
			for (const release of pass.releases ?? []) {
				// A text is cut once: where it was cut is what later requests begin with.
				if (!view.released.has(release.item)) view.released.set(release.item, release);
			}
			for (const strip of pass.strips) applyStrip(view, strip, folded.has(strip.episode));
			for (const fold of pass.folds ?? []) {
				for (const id of fold.episodes) folded.add(id);
				applyFold(view, fold);
			}
		},
		restate(episodes) {
			view.episodes.clear();
			view.markers.clear();
			view.removedTokens = 0;
			view.markerTokens = sumMarkers(view.folds);
			for (const [id, account] of episodes) setAccount(view, id, account);
		},
		read: () => view,
	};
}

interface GrowingView extends View {
	readonly removed: Set<ItemId>;
	readonly departures: Map<ItemId, Departure>;
	readonly episodes: Map<EpisodeId, EpisodeView>;
	readonly markers: Map<EpisodeId, Marker>;
	readonly released: Map<ItemId, Release>;
	folds: readonly Fold[];
	passes: number;
	removedTokens: number;
	markerTokens: number;
}

function noteDepartures({ departures, passes }: GrowingView, { newest, strips }: Pass) {
	if (newest === undefined) return;
	const departure = { pass: passes, newest };
	for (const { items } of strips) {
		for (const id of items) if (!departures.has(id)) departures.set(id, departure);
	}
}

function setAccount(view: GrowingView, id: EpisodeId, account: EpisodeView) {
	const earlier = view.episodes.get(id);
	view.removedTokens += account.removedTokens - (earlier?.removedTokens ?? 0);
	view.markerTokens += (account.marker?.tokens ?? 0) - (earlier?.marker?.tokens ?? 0);
	view.episodes.set(id, account);
	if (account.marker) view.markers.set(id, account.marker);
	else view.markers.delete(id);
}

function sumMarkers(folds: readonly Fold[]): number {
	return folds.reduce((sum, { marker }) => sum + marker.tokens, 0);
}

function applyStrip(view: GrowingView, strip: Strip, isFolded: boolean) {
	const { removed, episodes } = view;
	// A strip that comes twice in a log took its tokens once.
	const isNew = strip.items.some((item) => !removed.has(item));
	for (const item of strip.items) removed.add(item);
	const earlier = episodes.get(strip.episode);
	setAccount(view, strip.episode, {
		level: earlier && earlier.level > strip.level ? earlier.level : strip.level,
		removedTokens: (earlier?.removedTokens ?? 0) + (isNew ? strip.tokens : 0),
		marker: isFolded ? undefined : (strip.marker ?? earlier?.marker),
	});
}

function applyFold(view: GrowingView, fold: Fold) {
	const folds = addFold(view.folds, fold);
	view.markerTokens += sumMarkers(folds) - sumMarkers(view.folds);
	view.folds = folds;
	for (const id of fold.episodes) {
		const earlier = view.episodes.get(id);
		if (earlier?.marker) setAccount(view, id, { ...earlier, marker: undefined });
	}
}

/** A fold replaces those whose episodes it holds; one that comes again after it was replaced changes nothing. */
function addFold(folds: readonly Fold[], fold: Fold): readonly Fold[] {
	if (folds.some(({ episodes }) => holdsAll(episodes, fold))) return folds;
	const own = new Set(fold.episodes);
	const isHeld = ({ episodes }: Fold) => episodes.every((id) => own.has(id));
	const first = folds.findIndex(isHeld);
	const rest = folds.filter((earlier) => !isHeld(earlier));
	return first < 0 ? [...rest, fold] : rest.toSpliced(first, 0, fold);
}

/** Most folds share no episode, which the first look tells. */
function holdsAll(outer: readonly EpisodeId[], { episodes: [first, ...others] }: Fold): boolean {
	if (first === undefined) return true;
	if (!outer.includes(first)) return false;
	const held = new Set(outer);
	return others.every((id) => held.has(id));
}
