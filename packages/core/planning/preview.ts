/** Passes that are not made by a request: the one that is to come, and those that a person asks for. */

import { DELIMITER } from "../annotation/delimiter.ts";
import type { Episode, WholeGraph } from "../graph/graph.ts";
import { historyAfterAnswer } from "../history/history.ts";
import { totalTokens } from "../ledger/ledger.ts";
import type { Pass } from "../log/pass.ts";
import { forfeitThinking, keepThinkingValid } from "../thinking/forfeit.ts";
import { outputClass } from "../transcript/tool-table.ts";
import type { Text } from "../transcript/transcript.ts";
import { createEpisodeEviction, isRequiredReasoning } from "./episode-eviction.ts";
import { newestOf } from "./make-pass.ts";
import { beginEviction } from "./pass-builder.ts";
import type { PlanInput, Policy } from "./plan.ts";
import { protectedEpisodes } from "./protected-episodes.ts";
import { evictableIn, removedBy } from "./provider-limits.ts";
import { collectUnits, episodeByItem, type Unit } from "./units.ts";

export interface PassPreview {
	/** The pass that would be made now; undefined when nothing may be evicted. */
	readonly pass: Pass | undefined;
	/** Tokens that may still come before it is due. */
	readonly toCome: number;
}

/** The pass that the policy would make if the context passed its budget with the next answer. Changes nothing. */
export function previewPass(base: Policy, input: PlanInput<"whole">): PassPreview {
	const policy = keepThinkingValid(base);
	const due = policy.plan(input);
	const limit = policy.highWater?.(input) ?? input.budget;
	const toCome = due ? 0 : Math.max(0, limit + 1 - totalTokens(input.graph, input.view, input.fixed));
	const pass =
		toCome > 0 ? policy.plan({ ...input, isCold: false, graph: growGraph(input.graph, toCome) }) : due;
	return { pass: pass && pass.strips.length > 0 ? pass : undefined, toCome };
}

/** The graph after an answer of so many tokens. */
function growGraph(graph: WholeGraph, tokens: number): WholeGraph {
	const message = graph.messages.length;
	const item: Text = { type: "text", id: "to come", message, tokens };
	const coming: Episode = {
		id: item.id,
		name: "what is to come",
		kind: "act",
		origin: "inferred",
		state: "open",
		dependencies: [],
		description: undefined,
		turn: 0,
		items: [item],
		tokens,
		place: graph.episodes.length + graph.evicted.size,
	};
	return {
		...graph,
		messages: [...graph.messages, { author: "model", items: [item] }],
		episodes: [...graph.episodes, coming],
		tokens: graph.tokens + tokens,
		history: historyAfterAnswer(graph.history, item),
		lastExchange: message,
	};
}

/** The policy name of a pass that the user asked for. */
export const MANUAL_PASS = "by hand";

/** Where a manual pass stops by default, as a share of the budget, under a policy without a low water. */
const LOW_WATER = 0.65;

/** Where a manual pass stops, in tokens. */
export function lowWaterOf(policy: Policy, input: PlanInput): number {
	return Math.floor(policy.lowWater?.(input) ?? (input.lowWater ?? LOW_WATER) * input.budget);
}

/** A pass down to low water although none is due; undefined at low water, and when nothing may leave. */
export function planManualPass(policy: Policy, input: PlanInput): Pass | undefined {
	const { budget } = input;
	const lowWater = lowWaterOf(policy, input);
	const now = policy.lowWater ? { ...input, lowWaterTokens: lowWater } : { ...input, budget: lowWater };
	const pass = keepThinkingValid(policy).plan(now);
	if (!pass || pass.strips.length === 0) return undefined;
	const { decision: _, ...taken } = pass;
	return { ...taken, policy: MANUAL_PASS, budget };
}

/**
 * A pass over one episode: its calls with their results, old reasoning, and all of it once nothing holds it any more
 * (open, in the exchange in progress, declared by an act that is still there). Undefined when nothing may leave.
 */
export function planEpisode(input: PlanInput, episode: Episode): Pass | undefined {
	const { graph, view, fixed, budget } = input;
	const before = totalTokens(graph, view, fixed);
	const kept = protectedEpisodes(input);
	const left = graph.episodes.filter(
		({ id, tokens }) => tokens !== view.episodes.get(id)?.removedTokens && !kept.has(id),
	);
	const isGone = removedBy(graph, (id) => view.removed.has(id));
	const sight = collectUnits(graph, left, isGone);
	const eviction = beginEviction(input, before, episodeByItem(input.graph, sight));
	const isEvictable = evictableIn(graph);
	for (const unit of sight.unitsOf(episode)) {
		if (unit.call.tool === DELIMITER || !isEvictable(unit.call)) continue;
		if (unit.isWork) eviction.take(episode, unit.items, levelOf(input, unit));
	}
	const reasoning = sight
		.restOf(episode)
		.filter((item) => item.type === "reasoning" && isEvictable(item) && !isRequiredReasoning(graph, item));
	eviction.take(episode, reasoning, 1);
	createEpisodeEviction(input, sight, eviction, () => false).close(episode);
	const strips = eviction.strips();
	if (strips.length === 0) return undefined;
	const sizes = { before, after: eviction.total() };
	const pass = { version: 1 as const, policy: MANUAL_PASS, budget, ...sizes, strips, blockers: [] };
	return forfeitThinking(input, { ...pass, ...newestOf(input) });
}

function levelOf({ tools }: PlanInput, { call, result }: Unit): 2 | 3 {
	return outputClass(tools, call, result?.tokens ?? 0) === "bulk" ? 2 : 3;
}
