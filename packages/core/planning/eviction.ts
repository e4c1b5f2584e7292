/** A pass in the making: what it may take, what it has taken so far, by episode, and what that leaves. */
import type { Episode, EpisodeId } from "../graph/graph.ts";
import { sentSizes } from "../ledger/ledger.ts";
import type { Marker, Strip, StripLevel } from "../log/pass.ts";
import { retainedEpisodes } from "../log/view.ts";
import { type IsRemoved, isOrphaned, removedBy } from "../log/whole-calls.ts";
import { outputClass } from "../transcript/tool-table.ts";
import type { Item, ItemId } from "../transcript/transcript.ts";
import { evictableIn, protectedEpisodes } from "./evictable.ts";
import type { PlanInput } from "./policy.ts";
import { tokensWithResults } from "./strip-levels.ts";
import { collectUnits, episodeByItem, type Unit, type VisibleUnits } from "./units.ts";

export interface Eviction {
	/** Returns true if the next request does not send an item. */
	readonly gone: IsRemoved;
	/** The size of the next request, in tokens. */
	total(): number;
	/** Take what is left of some items of one episode, and reasoning that leads to nothing any more. */
	take(episode: Episode, items: readonly Item[], level: StripLevel): void;
	/** Tokens by which requests are smaller once these items of an episode are gone too, next to what this pass took of it. */
	freedBy(episode: Episode, items: readonly Item[]): number;
	/** Sets the line of an episode that something was taken of, in place of the one that it has; `isWhole` if all of it is. */
	mark(episode: Episode, marker: Marker, isWhole?: boolean): void;
	/** The line of an episode, by this pass or an earlier one. */
	markerOf(id: EpisodeId): Marker | undefined;
	/** Returns true if an episode is wholly evicted, by this pass or an earlier one. */
	isEvicted(id: EpisodeId): boolean;
	strips(): readonly Strip[];
}

type Draft = { -readonly [K in keyof Strip]: Strip[K] } & { readonly items: ItemId[] };

/** Begin a pass over a context of `before` tokens. `episodeOf` answers the episode of a reasoning item. */
export function beginEviction(
	{ graph, view }: PlanInput,
	before: number,
	episodeOf: (reasoning: Item) => Episode | undefined,
): Eviction {
	const taken = new Set<ItemId>();
	const drafts = new Map<EpisodeId, Draft>();
	const gone = removedBy(graph, (id) => view.removed.has(id) || taken.has(id));
	/** Tokens that the strips freed: of an output that was faded, less than its size. */
	const freed = new Map<EpisodeId, number>();
	let total = before;

	const sizeOf = (items: readonly Item[]) =>
		tokensWithResults(graph, items) - sum(items.map(({ id }) => view.faded.get(id)?.tokens ?? 0));

	function add({ id }: Episode, items: readonly Item[], level: StripLevel) {
		const earlier = view.episodes.get(id)?.level ?? 1;
		const draft: Draft = drafts.get(id) ?? { episode: id, level: earlier, items: [], tokens: 0 };
		const tokens = tokensWithResults(graph, items);
		for (const item of items) {
			taken.add(item.id);
			draft.items.push(item.id);
		}
		draft.tokens += tokens;
		if (level > draft.level) draft.level = level;
		drafts.set(id, draft);
		freed.set(id, (freed.get(id) ?? 0) + sizeOf(items));
		total -= sizeOf(items);
	}

	const markerOf = (id: EpisodeId) => drafts.get(id)?.marker ?? view.episodes.get(id)?.marker;

	return {
		gone,
		markerOf,
		total: () => total,
		take(episode, items, level) {
			const left = items.filter((item) => !gone(item));
			if (left.length === 0) return;
			add(episode, left, level);
			for (const { message } of left) {
				for (const item of graph.messages[message]?.items ?? []) {
					if (!gone(item) && isOrphaned(graph, item, gone)) add(episodeOf(item) ?? episode, [item], 1);
				}
			}
		},
		freedBy: ({ id }, items) => (freed.get(id) ?? 0) + sizeOf(items),
		mark(episode, marker, isWhole = false) {
			const draft = drafts.get(episode.id);
			if (!draft) return;
			total += marker.tokens - (markerOf(episode.id)?.tokens ?? 0);
			draft.marker = marker;
			if (isWhole) draft.level = 4;
		},
		isEvicted: (id) => (drafts.get(id)?.level ?? view.episodes.get(id)?.level) === 4,
		strips: () => [...drafts.values()],
	};
}

function sum(tokens: readonly number[]): number {
	return tokens.reduce((total, each) => total + each, 0);
}

export interface PassDraft {
	readonly input: PlanInput;
	/** The episodes that something is left of, without pinned ones. */
	readonly visible: VisibleUnits;
	readonly eviction: Eviction;
	/** Returns true if a pass may take an item at all. */
	readonly isEvictable: (item: Item) => boolean;
}

/** Begins a pass over a context of `before` tokens. Linear in what is visible. */
export function draftPass(input: PlanInput, before: number): PassDraft {
	const { graph, view } = input;
	const kept = protectedEpisodes(input);
	const left = retainedEpisodes(graph, view).filter(({ id }) => !kept.has(id));
	const isGone = removedBy(graph, (id) => view.removed.has(id));
	const visible = collectUnits(graph, left, isGone, sentSizes(graph, view));
	const eviction = beginEviction(input, before, episodeByItem(graph, visible));
	return { input, visible, eviction, isEvictable: evictableIn(graph) };
}

/** The level that a unit leaves at: bulk outputs are level 2, the rest is level 3 (paper 4.4). */
export function levelOf({ tools }: PlanInput, { call, result }: Unit): 2 | 3 {
	return outputClass(tools, call, result?.tokens ?? 0) === "bulk" ? 2 : 3;
}
