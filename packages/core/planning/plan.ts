/**
 * From the trigger to the pass: the one way in which a session plans. A policy says what a pass takes; the layers around it
 * spare what a person brought back, do what add-ons want, and keep thinking valid.
 */

import type { Episode, Graph } from "../graph/graph.ts";
import { historyAfterAnswer } from "../graph/history.ts";
import { totalTokens } from "../ledger/ledger.ts";
import { changesContext, type Pass } from "../log/pass.ts";
import { viewAfter } from "../log/view.ts";
import type { Text, UserItem } from "../transcript/transcript.ts";
import { ceilingOf } from "./limits.ts";
import { decidePass } from "./payoff.ts";
import { type PlanInput, type Policy, type WeighedOutput, withSpared } from "./policy.ts";
import { planSeamPass } from "./seams.ts";
import { forfeitThinking } from "./thinking.ts";

/** The pass to make before the next request; undefined when none is due. */
export function planPass(policy: Policy, input: PlanInput): Pass | undefined {
	const { spared, layers = [] } = input;
	const layered = layers.reduce((inner, layer) => layer(inner), withSpared(policy, spared));
	const budget = ceilingOf(input);
	const planned = layered.plan({ ...input, budget });
	const pass = planned && forfeitThinking(input, planned);
	if (!pass?.forfeited || pass.after <= budget) return pass;
	// The thinking that left may bring the budget within reach: the pass takes what the next plan would take at once.
	const next = planPass(policy, { ...input, view: viewAfter(input.view, pass) });
	return next && changesContext(next) ? joinPasses(input, pass, next) : pass;
}

/** Two passes for the same request as one. */
function joinPasses(input: PlanInput, first: Pass, next: Pass): Pass {
	const pass: Pass = {
		...next,
		before: first.before,
		strips: [...first.strips, ...next.strips],
		folds: [...(first.folds ?? []), ...(next.folds ?? [])],
		reductions: [...(first.reductions ?? []), ...(next.reductions ?? [])],
		forfeited: (first.forfeited ?? 0) + (next.forfeited ?? 0),
	};
	return first.decision ? decidePass(input, pass, first.decision.reason) : pass;
}

/**
 * The passes that the policy would make if the context grew on, or the next piece of work began; undefined when that evicts
 * nothing. Changes nothing.
 */
export function previewPass(policy: Policy, input: PlanInput) {
	const { graph, view, fixed, isCold: _now, ...rest } = input;
	const total = totalTokens(graph, view, fixed);
	const due = planPass(policy, input);
	/** Tokens that may still come before the pass is due. */
	const toCome = due ? 0 : Math.max(0, ceilingOf(input) + 1 - total);
	const ahead = { ...rest, fixed, view, graph: growGraph(graph, toCome), foreseen: toCome };
	const pass = thatEvicts(toCome > 0 ? planPass(policy, ahead) : due);
	const seam = policy.limits && thatEvicts(planSeamPass(atNextSeam(input), policy.name, total));
	return { pass, toCome, seam };
}

/** The pass that the next message of the user would bring, which closes unmarked work; undefined when that evicts nothing. */
export function previewNextTurn(policy: Policy, input: PlanInput): Pass | undefined {
	return thatEvicts(planPass(policy, atNextTurn(input)));
}

/** The worth of each output of the context when the next message of the user comes; none under a policy that does not ask. */
export function weighAtNextTurn(policy: Policy, input: PlanInput): readonly WeighedOutput[] {
	return policy.weigh?.(atNextTurn(input)) ?? [];
}

/** The input as it would be with an empty message of the user at its end. */
function atNextTurn(input: PlanInput): PlanInput {
	const { messages, history, ...graph } = input.graph;
	const episodes = graph.episodes.map((episode) =>
		episode.origin === "inferred" ? { ...episode, state: "closed" as const } : episode,
	);
	const ends = [...history.ends, history.ends.at(-1) ?? 0];
	const turns = [...history.turns, (history.turns.at(-1) ?? 0) + 1];
	const next = { messages, history: { ...history, ends, turns }, openLoop: messages.length };
	const message: UserItem = { type: "user", id: "to come", message: messages.length, tokens: 0 };
	const userMessages = [...graph.userMessages, message];
	const begun = { ...graph, episodes, userMessages, ...next, lastExchange: messages.length };
	return { ...input, graph: begun };
}

/** The input as it would be with the work in hand closed, and the next exchange begun. */
function atNextSeam(input: PlanInput): PlanInput {
	const { graph } = input;
	const episodes = graph.episodes.map((episode) =>
		episode.state === "open" ? { ...episode, state: "closed" as const } : episode,
	);
	const [next] = growGraph(graph, 1).episodes.slice(-1);
	const begun = next ? [{ ...next, kind: "expl" as const, origin: "declared" as const }] : [];
	return {
		...input,
		graph: { ...graph, episodes: [...episodes, ...begun], lastExchange: graph.messages.length },
	};
}

function thatEvicts(pass: Pass | undefined): Pass | undefined {
	return pass && changesContext(pass) ? pass : undefined;
}

/** The graph after an answer of so many tokens. */
function growGraph(graph: Graph, tokens: number): Graph {
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
		place: graph.episodes.length,
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
