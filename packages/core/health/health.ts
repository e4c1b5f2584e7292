/** The health of a session's context in figures that need no model. Fidelity needs the texts and is the host's. */

import { sum } from "#basics";
import type { Episode, Graph } from "../graph/graph.ts";
import { leftOf, sealedIn, sealedTokens, sentSizes, totalTokens } from "../ledger/ledger.ts";
import type { Pass } from "../log/pass.ts";
import { findRegrets } from "../log/regret.ts";
import {
	markerTokens,
	removedTokens,
	retainedEpisodes,
	takenTokens,
	type View,
	viewOfLog,
} from "../log/view.ts";
import { removedBy } from "../log/whole-calls.ts";
import type { PlanInput } from "../planning/policy.ts";
import { seamRecord } from "../planning/seams.ts";
import { sumTokens, type ToolResult } from "../transcript/transcript.ts";
import { measureMarks } from "./marks.ts";
import { measureBurnRate } from "./pressure.ts";

type HealthInput = Pick<PlanInput, "graph" | "view" | "fixed" | "budget" | "model">;

/** Sizes in counted tokens. */
export type Health = Readonly<ReturnType<typeof measureHealth>>;

/** A session from its beginning, also where the host has compacted the messages of the next request. */
export type WholeSession = Pick<PlanInput, "graph" | "view">;

/** Measures the next request of a session, and what its passes did since its beginning. Linear in its history. */
export function measureHealth(
	input: HealthInput & Pick<PlanInput, "tools">,
	log: readonly Pass[],
	whole: WholeSession = input,
) {
	const { graph, view, tools } = input;
	const marks = measureMarks(whole.graph, tools);
	return {
		...measureVitals(input, whole),
		thinking: measureReadableThinking(input, log, whole),
		regrets: findRegrets(whole.graph, viewOfLog(log)),
		seams: seamRecord(graph, view),
		/** Absent in a session without marks. */
		...(marks && { marks }),
	};
}

/** The figures that cost little enough for every turn. */
export type Vitals = Readonly<ReturnType<typeof measureVitals>>;

/** The figures that need no look at what was read again. Linear in what the next request sends, and in the episodes of the whole session. */
export function measureVitals(input: HealthInput, whole: WholeSession = input) {
	const { graph, view, budget, model } = input;
	const used = totalTokens(input);
	const bloat = measureToolBloat(graph, view);
	return {
		/** Share of the budget that the next request uses: above 1 the budget is broken. */
		utilisation: budget > 0 ? used / budget : 0,
		eviction: measureEvictionRate(whole.graph, whole.view),
		compressionRatio: measureCompressionRatio(whole.graph, whole.view),
		burn: measureBurnRate(graph, model),
		bloat: { ...bloat, share: used > 0 ? bloat.tokens / used : 0 },
	};
}

/**
 * Original tokens of the stripped and reduced episodes for each token that is left of them, the lines in their place included. 1
 * if no episode was touched; infinite if nothing is left.
 */
export function measureCompressionRatio(graph: Graph, view: View): number {
	const touched = retainedEpisodes(graph, view).filter(
		(episode) => view.episodes.has(episode.id) || leftOf(episode, view) < episode.tokens,
	);
	const kept = ({ id, tokens }: Episode) => tokens - (view.episodes.get(id)?.removedTokens ?? 0);
	const before = sum(touched, kept) + removedTokens(view);
	if (before === 0) return 1;
	return before / (before - takenTokens(view) + markerTokens(view));
}

/**
 * The items that the log evicted, for each answer of the model. A call that left with its result counts as one item.
 */
export function measureEvictionRate(
	{ history, tokens }: { readonly history: Pick<Graph["history"], "growth">; readonly tokens: number },
	view: Pick<View, "removed" | "episodes">,
) {
	const requests = Math.max(1, history.growth.length);
	const gone = removedTokens(view);
	return {
		/** Share of everything that the session ever held which is gone now. */
		share: tokens > 0 ? gone / tokens : 0,
		tokensPerRequest: gone / requests,
		itemsPerRequest: view.removed.size / requests,
	};
}

/** Measures the thinking of a session, in tokens: all of it is sent, evicted or left out for another reason. Linear in its history. */
export function measureReadableThinking(
	next: WholeSession & Pick<PlanInput, "model">,
	log: readonly Pass[],
	{ graph: { reasoning: thinking }, view: { removed } }: WholeSession = next,
) {
	const gone = new Map(
		thinking.flatMap(({ id, tokens }) => (removed.has(id) ? [[id, tokens] as const] : [])),
	);
	const evictedBy = ({ strips, forfeited = 0 }: Pass) => {
		const taken = strips.flatMap(({ items }) => items);
		const tokens = sum(taken, (id) => gone.get(id) ?? 0);
		for (const id of taken) gone.delete(id);
		return Math.max(0, tokens - forfeited);
	};
	const all = sumTokens(thinking);
	/** The part of all that is sealed. */
	const { sent: sealed } = sealedIn(thinking);
	/** True if this model has sealed all of it. */
	const isOwn = sealedIn(thinking, next.model).unsent === 0;
	/** Tokens that the next request sends. */
	const left = sumTokens(next.graph.reasoning.filter(({ id }) => !next.view.removed.has(id)));
	const readable = left - sealedTokens(next.graph, next.view, next.model).unsent;
	/** Tokens that passes evicted for themselves. */
	const evicted = sum(log, evictedBy);
	/** Tokens that left because what they were bound to changed (design rule 19) or was summarized, or that another model has sealed. */
	const forfeited = all - readable - evicted;
	return { all, sealed, isOwn, readable, evicted, forfeited };
}

/** Measures the tool output that the next request still sends. Linear in what is left. */
export function measureToolBloat(graph: Graph, view: View) {
	const isGone = removedBy(graph, view.removed);
	const sizeOf = sentSizes(graph, view);
	let tokens = 0;
	let largest: ToolResult | undefined;
	for (const { items } of retainedEpisodes(graph, view)) {
		for (const item of items) {
			if (item.type !== "result" || isGone(item)) continue;
			tokens += sizeOf(item);
			if (!largest || sizeOf(item) > sizeOf(largest)) largest = item;
		}
	}
	/** Results that are sent at lower detail, and by how many tokens they are smaller; absent if none is. */
	const reduced = { outputs: view.reduced.size, tokens: sumTokens(view.reduced.values()) };
	return { tokens, largest, ...(reduced.outputs > 0 && { reduced }) };
}
