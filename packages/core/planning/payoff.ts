/**
 * The one estimate behind every pass that the budget does not force: cached reads saved over the requests that are likely
 * still to come, against what is written to the cache again, the thinking that is lost, and second looks at what left.
 */
import { sum } from "#basics";
import type { Graph } from "../graph/graph.ts";
import type { Decision, Pass } from "../log/pass.ts";
import { markerTokens, takenTokens } from "../log/view.ts";
import { type ModelPrices, paidBackAfter } from "../prices/prices.ts";
import { sumTokens } from "../transcript/transcript.ts";
import { MAX_LINES_SHARE } from "./episode-index.ts";
import { passEffect } from "./pass-effect.ts";
import type { Dial, PlanInput } from "./policy.ts";
import { forfeitThinking } from "./thinking.ts";

/** A session is expected to last for this share of its requests again: sessions end, and nobody knows when. */
const HORIZON_SHARE = 1 / 3;
/** A session of fewer requests has not shown yet how fast it grows; `USUAL_GROWTH` is in tokens for each request. */
const FEW_REQUESTS = 10;
const USUAL_GROWTH = 800;
/** How many times its price a second look is feared. */
const fears: Readonly<Record<Dial, number>> = {
	economy: 1.5,
	balanced: 4,
	quality: 12,
};
/** Ratios of list prices, for a model whose prices nobody knows: a cached read costs a tenth of fresh input. */
export const usualPrices: ModelPrices = {
	input: 1,
	output: 5,
	read: 0.1,
	write: 1.25,
	longWrite: 2,
	tiers: [],
};

/** Requests that a session is likely still to make. */
export function likelyRequests({ history }: Pick<Graph, "history">): number {
	return HORIZON_SHARE * history.growth.length;
}

/** Tokens that the session has added for each answer; at least 1. */
function growthOf({ history, tokens }: Graph): number {
	const requests = history.growth.length;
	return requests < FEW_REQUESTS ? USUAL_GROWTH : Math.max(1, tokens / requests);
}

/** The dial of an input; a low water in numbers fears a second look as `balanced` does. */
export function dialOf({ lowWater = "balanced" }: Pick<PlanInput, "lowWater">): Dial {
	return typeof lowWater === "number" ? "balanced" : lowWater;
}

/** Second looks to expect at what a pass takes: how many, and the tokens that they bring back. */
export interface Looks {
	readonly requests: number;
	readonly tokens: number;
}

const noLooks: Looks = { requests: 0, tokens: 0 };

/** The pass with the figures that it is decided on, `looks` among them. */
export function decidePass(
	input: PlanInput,
	pass: Pass,
	reason: Decision["reason"],
	looks: Looks = noLooks,
): Pass {
	const { isCold = false, graph, budget, prices = usualPrices } = input;
	// The thinking that a pass makes invalid leaves with it, whoever takes it.
	const valid = forfeitThinking(input, pass);
	const { before, after, forfeited = 0 } = valid;
	const effect = passEffect(input, valid);
	const growth = growthOf(graph);
	const fear = fearOf(input);
	const feared = {
		requests: fear * looks.requests,
		tokens: fear * looks.tokens,
		answer: answerOf(graph),
	};
	const requests = paidBackAfter({ ...effect, forfeited, looks: feared, before, isCold }, prices);
	const decision = {
		reason,
		freed: Math.round(effect.freed),
		rewritten: Math.round(effect.rewritten),
		growth: Math.round(growth),
		requestsToNext: Math.max(0, Math.floor((budget - after) / growth)),
	};
	const decided = Number.isFinite(requests) ? { ...decision, paidBackAfter: requests } : decision;
	return { ...pass, decision: decided };
}

/** Returns true if a pass with figures is expected to pay for itself within the requests that are likely still to come. */
export function pays({ graph }: PlanInput, { decision }: Pass): boolean {
	if (!decision) return false;
	return decision.freed > 0 && (decision.paidBackAfter ?? Infinity) <= likelyRequests(graph);
}

/** How many times its price a second look is feared under the dial of an input. */
export function fearOf(input: Pick<PlanInput, "lowWater">): number {
	return fears[dialOf(input)];
}

/** The answer of a session that has not shown yet how much it answers; in tokens. */
const USUAL_ANSWER = 300;

/** Tokens of the mean answer of a session, thinking included. Linear in the messages. */
export function answerOf({ messages, history }: Graph): number {
	if (history.growth.length < FEW_REQUESTS) return USUAL_ANSWER;
	const answers = messages.filter(({ author }) => author === "model");
	return sum(answers, ({ items }) => sumTokens(items)) / history.growth.length;
}

/**
 * The least that a pass frees, as a share of the budget: a pass costs a prefix break, a log entry and the time to plan it.
 * The request then goes over its budget by less than the pass would free, and the blockers are named.
 */
const MIN_FREED = 0.01;
/** The same for a pass that nothing demands: small ones fill the log of a session with many short turns. */
const MIN_FREED_EARLY = 0.05;
/** The same where the context stays over its budget anyway, so that waiting for more breaks no budget. */
const MIN_FREED_OVER_BUDGET = 0.05;

/** Returns true if a pass from `before` down to `after` tokens frees enough. With a cold cache it breaks no prefix. */
export function isWorthwhile(
	{ budget, isCold = false }: Pick<PlanInput, "budget" | "isCold">,
	before: number,
	after: number,
): boolean {
	const least = after > budget && !isCold ? MIN_FREED_OVER_BUDGET : MIN_FREED;
	return before > after && before - after >= least * budget;
}

/** The most that a pass from `before` tokens may leave: the budget, and over the budget little enough to be worth the pass. */
export function mostLeft({ budget }: Pick<PlanInput, "budget">, before: number): number {
	return before > budget ? Math.min(budget, before - MIN_FREED * budget) : budget;
}

/** Returns true if a pass that nothing demands frees enough. */
export function isWorthwhileEarly(
	{ budget }: Pick<PlanInput, "budget">,
	before: number,
	after: number,
): boolean {
	return before - after >= MIN_FREED_EARLY * budget;
}

/** Returns true if nothing came since the last pass: what that one left was all that it could or should take. */
export function wasJustMade({ view, graph }: Pick<PlanInput, "view" | "graph">): boolean {
	return view.lastPassAt !== undefined && view.lastPassAt === graph.history.newest;
}

/**
 * The most that a pass can free, in tokens: what episodes still send without the exchange in progress, and the lines once they
 * are so many that a pass groups them. Linear in the evicted episodes.
 */
export function mostEvictable({ graph, view, budget }: PlanInput): number {
	const { tokens, prologueTokens, userTokens, messages, lastExchange } = graph;
	const sent = tokens - prologueTokens - userTokens - takenTokens(view);
	const exchange = messages.slice(Math.max(0, lastExchange)).flatMap(({ items }) => items);
	const lines = markerTokens(view);
	const grouped = lines > MAX_LINES_SHARE * budget ? lines : 0;
	return sent - sumTokens(exchange.filter(({ type }) => type !== "user")) + grouped;
}
