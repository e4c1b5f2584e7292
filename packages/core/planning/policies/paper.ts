/**
 * Algorithm 1 of the paper, to the letter: closed acts before expls, oldest first, an expl only after every act that
 * declared it is gone, four levels in order, the budget checked again after each strip. What nobody marked counts as
 * an expl with unknown dependencies and goes last (paper 5).
 */
import { type Episode, type EpisodeId, type EvictionRank, rankOf } from "../../graph/graph.ts";
import { totalTokens } from "../../ledger/ledger.ts";
import type { Marker, Strip, StripLevel } from "../../log/pass.ts";
import type { View } from "../../log/view.ts";
import { descriptionText } from "../../projection/markers.ts";
import type { ItemId } from "../../transcript/transcript.ts";
import { makePass } from "../make-pass.ts";
import type { PlanInput, Policy } from "../plan.ts";
import { protectedEpisodes } from "../protected-episodes.ts";
import { isInProgress, itemsAtLevel, removedBy, tokensWithResults } from "../strip-levels.ts";

const levels: readonly StripLevel[] = [1, 2, 3, 4];
const order: readonly EvictionRank[] = ["act", "expl", "unannotated"];

export const paper: Policy = {
	name: "paper",
	plan(input) {
		const before = totalTokens(input.graph, input.view, input.fixed);
		if (before <= input.budget) return undefined;
		const strips = new Map<EpisodeId, Strip>();
		const removed = new Set<ItemId>();
		let total = before;
		let isSettled = false;
		// Later strips may leave reasoning of earlier ones without what it led to, so the last round finds nothing.
		while (total > input.budget && !isSettled) {
			isSettled = true;
			for (const target of candidates(input)) {
				const earlier = strips.get(target.id);
				const strip = stripEpisode(input, target, earlier, total - input.budget, removed);
				if (!strip) continue;
				isSettled = false;
				strips.set(target.id, earlier ? join(earlier, strip) : strip);
				for (const id of strip.items) removed.add(id);
				total -= strip.tokens - (strip.marker?.tokens ?? 0);
				if (total <= input.budget) break;
			}
		}
		return makePass("paper", input, before, total, [...strips.values()]);
	},
};

function join(earlier: Strip, later: Strip): Strip {
	const items = [...earlier.items, ...later.items];
	return { ...earlier, ...later, items, tokens: earlier.tokens + later.tokens };
}

/**
 * Closed episodes whose dependents are all evicted, in the order of Algorithm 1. An act that cannot leave in this
 * pass holds its expls; every other act has been removed by the time that an expl's turn comes.
 */
function* candidates(input: PlanInput): Generator<Episode> {
	const { graph, view } = input;
	const kept = protectedEpisodes(input);
	const held = new Set(kept);
	const leaves = (episode: Episode) =>
		episode.state === "closed" && !isInProgress(graph, episode) && !kept.has(episode.id);
	for (const episode of graph.episodes) {
		if (episode.kind !== "act" || leaves(episode)) continue;
		for (const dependency of episode.dependencies) held.add(dependency);
	}
	for (const rank of order) {
		for (const episode of graph.episodes) {
			if (episode.state !== "closed" || rankOf(graph, episode) !== rank || held.has(episode.id)) continue;
			if (!isUsedUp(view, episode)) yield episode;
		}
	}
}

/** A removed episode may have left reasoning behind, which providers wanted while their tool loop was open. */
function isUsedUp(view: View, episode: Episode): boolean {
	const reached = view.episodes.get(episode.id);
	return reached?.level === 4 && reached.removedTokens === episode.tokens;
}

/**
 * Strip one episode level by level until `excess` tokens are gone or it is removed. An earlier pass has left nothing
 * to the levels that it reached, except for content that providers wanted kept then. `removed` is what this pass has taken so
 * far, `earlier` what it took from this episode.
 */
function stripEpisode(
	input: PlanInput,
	episode: Episode,
	earlier: Strip | undefined,
	excess: number,
	removed: ReadonlySet<ItemId>,
): Strip | undefined {
	const { graph, view, tools } = input;
	const before = earlier?.level ?? view.episodes.get(episode.id)?.level;
	let reached: StripLevel = before ?? 1;
	const taken = new Set<ItemId>();
	const gone = removedBy(graph, (id) => view.removed.has(id) || removed.has(id) || taken.has(id));
	let tokens = 0;
	let strip: Strip | undefined;
	for (const level of levels) {
		if (!isApplicable(level, input, episode)) continue;
		const items = itemsAtLevel(graph, episode, level, gone, tools);
		const freed = tokensWithResults(graph, items);
		const marker = makeMarker(input, episode, before, level);
		if (marker && freed <= marker.tokens) break;
		for (const item of items) taken.add(item.id);
		if (taken.size === 0) continue;
		tokens += freed;
		if (level > reached) reached = level;
		strip = { episode: episode.id, level: reached, items: [...taken], tokens, ...(marker && { marker }) };
		if (tokens >= excess) break;
	}
	return strip;
}

/**
 * Reasoning is stripped from expls only (paper 4.4, level 1), implicit ones included. An episode that reaches into
 * the exchange in progress cannot be removed whole yet.
 */
function isApplicable(level: StripLevel, input: PlanInput, episode: Episode): boolean {
	if (level === 1) return rankOf(input.graph, episode) !== "act";
	return level < 4 || !isInProgress(input.graph, episode);
}

/** The description is the only content of an expl that is kept after full eviction (paper 4.2): one line, once. */
function makeMarker(
	input: PlanInput,
	episode: Episode,
	before: StripLevel | undefined,
	level: StripLevel,
): Marker | undefined {
	if (level < 4 || before === 4) return undefined;
	const anchor = episode.items[0];
	if (episode.origin !== "declared" || episode.description === undefined || !anchor) return undefined;
	const text = descriptionText(episode);
	return { anchor: anchor.id, text, tokens: input.countMarker(text) };
}
