/** A pass in the making together with what it may take: how every pass begins that takes units by its own order. */
import { sentSizes } from "../ledger/ledger.ts";
import { removedBy } from "../log/whole-calls.ts";
import { outputClass } from "../transcript/tool-table.ts";
import type { Item } from "../transcript/transcript.ts";
import { evictableIn } from "./evictable.ts";
import { beginEviction, type Eviction } from "./eviction.ts";
import type { PlanInput } from "./policy.ts";
import { protectedEpisodes } from "./protected-episodes.ts";
import { collectUnits, episodeByItem, type Unit, type VisibleUnits } from "./units.ts";

export interface PassDraft {
	readonly input: PlanInput;
	/** The episodes that something is left of, without pinned ones. */
	readonly sight: VisibleUnits;
	readonly eviction: Eviction;
	/** Returns true if a pass may take an item at all. */
	readonly isEvictable: (item: Item) => boolean;
}

/** Begins a pass over a context of `before` tokens. Linear in what is visible. */
export function draftPass(input: PlanInput, before: number): PassDraft {
	const { graph, view } = input;
	const kept = protectedEpisodes(input);
	const left = graph.episodes.filter(
		({ id, tokens }) => tokens !== view.episodes.get(id)?.removedTokens && !kept.has(id),
	);
	const isGone = removedBy(graph, (id) => view.removed.has(id));
	const sight = collectUnits(graph, left, isGone, sentSizes(graph, view));
	const eviction = beginEviction(input, before, episodeByItem(graph, sight));
	return { input, sight, eviction, isEvictable: evictableIn(graph) };
}

/** The level that a unit leaves at: bulk outputs are level 2, the rest is level 3 (paper 4.4). */
export function levelOf({ tools }: PlanInput, { call, result }: Unit): 2 | 3 {
	return outputClass(tools, call, result?.tokens ?? 0) === "bulk" ? 2 : 3;
}
