/**
 * Algorithm 1 of the paper: closed acts before expls, oldest first, an expl only after every act that declared it is gone,
 * four levels in order, the budget checked again after each level. `evictable.ts` adjusts what a level takes where
 * a provider would refuse the request. `paper` departs from the paper in one point, which the limits of a pass demand:
 * a description that is as long as its episode does not replace it.
 */
import { sum } from "#basics";
import type { Episode, EpisodeId } from "../graph/graph.ts";
import { tokensWithResults, totalTokens } from "../ledger/ledger.ts";
import type { Marker, Strip, StripLevel } from "../log/pass.ts";
import { type IsRemoved, isOrphaned, removedBy } from "../log/whole-calls.ts";
import { evictableIn, inProgressIn } from "../planning/evictable.ts";
import { makePass } from "../planning/make-pass.ts";
import type { PlanInput, Policy } from "../planning/policy.ts";
import { descriptionText } from "../projection/episode-lines.ts";
import { outputClass } from "../transcript/tool-table.ts";
import type { Item, ItemId, ToolCall } from "../transcript/transcript.ts";
import { type Target, targetsOf } from "./paper-order.ts";

const levels: readonly StripLevel[] = [1, 2, 3, 4];

function createPaper(name: string, isAdapted: boolean): Policy {
	return {
		name,
		plan(input) {
			const before = totalTokens(input);
			if (before <= input.budget) return undefined;
			const draft = beginDraft(input, before, isAdapted);
			let left = Infinity;
			// Later strips may leave reasoning of earlier ones without what it led to, so the last round finds nothing.
			while (draft.total > input.budget && draft.total < left) {
				left = draft.total;
				for (const target of targetsOf(input, isAdapted)) {
					stripTarget(draft, target);
					if (draft.total <= input.budget) break;
				}
			}
			return makePass(name, input, before, draft.total, [...draft.strips.values()]);
		},
	};
}

/** Algorithm 1, with the one departure that is described at the top. */
export const paper = createPaper("paper", false);

/** Algorithm 1 with departures from the paper: failed calls leave with their episode, unmarked work leaves last and in parts, and nothing is prologue for good. */
export const paperAdapted = createPaper("paper-adapted", true);

type Draft = ReturnType<typeof beginDraft>;

/** A pass in the making; `total` are the tokens of the next request. */
function beginDraft(input: PlanInput, total: number, isAdapted: boolean) {
	const removed = new Set<ItemId>();
	const gone = removedBy(input.graph, { has: (id) => input.view.removed.has(id) || removed.has(id) });
	const isEvictable = evictableIn(input.graph);
	const isInProgress = inProgressIn(input.graph);
	const strips = new Map<EpisodeId, Strip>();
	return { input, isAdapted, strips, removed, gone, isEvictable, isInProgress, total };
}

/** Strips a target level by level until the budget is met. Reasoning is stripped from expls only (paper 4.4, level 1). */
function stripTarget(draft: Draft, { rank, episodes, isImplicit }: Target) {
	for (const level of levels) {
		if (level === 1 && rank === "act") continue;
		for (const episode of episodes) {
			const isPartial = episode.state === "open" || draft.isInProgress(episode);
			// An episode that reaches into the exchange in progress cannot be removed whole yet.
			if (level === 4 && isPartial && !isImplicit) continue;
			stripEpisode(draft, episode, level, level === 4 && isPartial ? 3 : level);
		}
		if (draft.total <= draft.input.budget) return;
	}
}

/** Takes what a level takes; the strip reaches `label` at least. */
function stripEpisode(draft: Draft, episode: Episode, level: StripLevel, label: StripLevel) {
	const { input, strips } = draft;
	const { graph, view } = input;
	const earlier = strips.get(episode.id);
	const reached = earlier?.level ?? view.episodes.get(episode.id)?.level ?? 1;
	const items = itemsAtLevel(draft, episode, level);
	const taken = tokensWithResults(graph, items);
	const freed = taken - sum(items, ({ id }) => view.reduced.get(id)?.tokens ?? 0);
	const marker = level === 4 && reached < 4 ? makeMarker(input, episode) : undefined;
	// The line of a policy that was in force before this one gives way to the description.
	const replaced = marker ? (view.episodes.get(episode.id)?.marker?.tokens ?? 0) : 0;
	if ((marker && freed <= marker.tokens) || (items.length === 0 && !earlier)) return;
	for (const { id } of items) draft.removed.add(id);
	draft.total -= freed + replaced - (marker?.tokens ?? 0);
	strips.set(episode.id, {
		...earlier,
		episode: episode.id,
		level: label > reached ? label : reached,
		items: [...(earlier?.items ?? []), ...items.map(({ id }) => id)],
		tokens: (earlier?.tokens ?? 0) + taken,
		...(marker && { marker }),
	});
}

/** The description is the only content of an expl that is kept after full eviction (paper 4.2): one line, once. */
function makeMarker({ countMarker }: PlanInput, episode: Episode): Marker | undefined {
	const anchor = episode.items[0];
	const { origin, kind, description } = episode;
	if (origin !== "declared" || kind !== "expl" || description === undefined || !anchor) return undefined;
	const text = descriptionText(episode);
	return { anchor: anchor.id, text, tokens: countMarker(text) };
}

/**
 * The items that a level takes from an episode (paper 4.4), in addition to the levels below it: whole calls with their results, nothing of the exchange in progress,
 * and the reasoning and blank texts that led to nothing but these calls.
 * A result is listed only when no call stands for it: it came twice or for nothing. Providers refuse such a result
 * once its call is gone, so it leaves with bulk outputs, before any call that it could belong to.
 */
function itemsAtLevel(draft: Draft, episode: Episode, level: StripLevel): readonly Item[] {
	const { gone, isEvictable } = draft;
	const past = episode.items.filter((item) => isEvictable(item) && !gone(item));
	const items = past.filter((item) => isTaken(draft, item, level));
	const taken = new Set(items);
	const isGone: IsRemoved = (item) => taken.has(item) || gone(item);
	const orphans = past.filter((item) => !taken.has(item) && isOrphaned(draft.input.graph, item, isGone));
	return [...items, ...orphans];
}

function isTaken(draft: Draft, item: Item, level: StripLevel): boolean {
	const { graph } = draft.input;
	switch (item.type) {
		case "user":
			return false;
		case "reasoning":
			// In the tool loop in progress providers want it back while anything that it led to is sent.
			return (level === 1 || level === 4) && item.message < graph.openLoop;
		case "call":
			return level === 4 || callLevel(draft, item) === level;
		case "result":
			return (level === 2 || level === 4) && !graph.callOf.has(item.id);
		case "text":
		case "note":
			return level === 4;
		default:
			return item satisfies never;
	}
}

/** Adapted, a call that failed leaves with its episode: a model that cannot see its failure repeats it. */
function callLevel({ input, isAdapted }: Draft, call: ToolCall): StripLevel {
	const result = input.graph.resultOf.get(call.id);
	if (result?.isError && isAdapted) return 4;
	const output = outputClass(input.tools, call, result?.tokens ?? 0);
	if (output === "bulk") return 2;
	return output === "intermediate" ? 3 : 4;
}
