/**
 * Algorithm 1 of the paper: closed acts before expls, oldest first, an expl only after every act that declared it is gone,
 * four levels in order, the budget checked again after each level. `evictable.ts` adjusts what a level takes where
 * a provider would refuse the request. `paper` departs from the paper in one point, which the limits of a pass demand:
 * a description that is as long as its episode does not replace it.
 */
import type { Episode, EpisodeId } from "../graph/graph.ts";
import { totalTokens } from "../ledger/ledger.ts";
import type { Marker, Strip, StripLevel } from "../log/pass.ts";
import { type IsRemoved, removedBy } from "../log/whole-calls.ts";
import { inProgressIn } from "../planning/evictable.ts";
import { makePass } from "../planning/make-pass.ts";
import type { PlanInput, Policy } from "../planning/policy.ts";
import { type FailedCalls, itemsAtLevel, tokensWithResults } from "../planning/strip-levels.ts";
import { descriptionText } from "../projection/episode-lines.ts";
import type { ItemId } from "../transcript/transcript.ts";
import { type Target, targetsOf } from "./paper-order.ts";

const levels: readonly StripLevel[] = [1, 2, 3, 4];

function createPaper(name: string, isAdapted: boolean): Policy {
	return {
		name,
		plan(input) {
			const before = totalTokens(input.graph, input.view, input.fixed);
			if (before <= input.budget) return undefined;
			const draft = beginDraft(input, before, isAdapted ? "last" : "like-others");
			let left = Number.POSITIVE_INFINITY;
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

/** Algorithm 1 to the letter. */
export const paper = createPaper("paper", false);

/** Algorithm 1 with departures from the paper: failed calls stay, unmarked work leaves last and in parts, and nothing is prologue for good. */
export const paperAdapted = createPaper("paper-adapted", true);

/** A pass in the making. */
interface Draft {
	readonly input: PlanInput;
	readonly failedCalls: FailedCalls;
	readonly strips: Map<EpisodeId, Strip>;
	readonly removed: Set<ItemId>;
	readonly gone: IsRemoved;
	readonly isInProgress: (episode: Episode) => boolean;
	/** Tokens of the next request. */
	total: number;
}

function beginDraft(input: PlanInput, total: number, failedCalls: FailedCalls): Draft {
	const removed = new Set<ItemId>();
	const gone = removedBy(input.graph, (id) => input.view.removed.has(id) || removed.has(id));
	const isInProgress = inProgressIn(input.graph);
	return { input, failedCalls, strips: new Map(), removed, gone, isInProgress, total };
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
	const { input, strips, failedCalls } = draft;
	const { graph, view, tools } = input;
	const earlier = strips.get(episode.id);
	const reached = earlier?.level ?? view.episodes.get(episode.id)?.level ?? 1;
	const items = itemsAtLevel(graph, episode, level, draft.gone, tools, failedCalls);
	const taken = tokensWithResults(graph, items);
	const freed = items.reduce((sum, { id }) => sum - (view.faded.get(id)?.tokens ?? 0), taken);
	const marker = level === 4 && reached < 4 ? makeMarker(input, episode) : undefined;
	if ((marker && freed <= marker.tokens) || (items.length === 0 && !earlier)) return;
	for (const { id } of items) draft.removed.add(id);
	draft.total -= freed - (marker?.tokens ?? 0);
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
