/**
 * The automatic budget: high and low water that follow from the model's prices, the growth of the session, the thinking at
 * stake, the model's window and price tiers, and the attention cap of the user. docs/results.md has the figures behind the
 * constants.
 */
import type { Graph } from "../graph/graph.ts";
import { measureFloor, totalTokens } from "../ledger/ledger.ts";
import type { Pass } from "../log/pass.ts";
import type { View } from "../log/view.ts";
import { type ModelPrices, nextStep, pricePass } from "../prices/prices.ts";
import { type Item, sumTokens } from "../transcript/transcript.ts";
import { bestBatch, growthOf } from "./economics.ts";
import { passEffect } from "./pass-effect.ts";
import type { PlanInput, Policy } from "./policy.ts";

/** All sizes in tokens. */
export interface BudgetSituation {
	/** Undefined if nobody knows the prices. */
	readonly prices: ModelPrices | undefined;
	/** The attention cap, or the model's window without its answer if that is smaller. */
	readonly cap: number;
	/** System prompt, tools and what people wrote: it cannot leave. */
	readonly floor: number;
	/** The size of the next request without a pass. */
	readonly context: number;
	/** The part of it that is thinking, which a pass may forfeit. */
	readonly thinking: number;
	/** Tokens that a request adds, on the average of the session. */
	readonly growth: number;
	/** Requests so far: a session is expected to last for a part of that again. */
	readonly requests: number;
	/** True if the next request begins a turn, so that no tool loop loses its thinking. */
	readonly beginsTurn: boolean;
	/** True if the provider has dropped its cache, so that a prefix break costs nothing. */
	readonly isCold: boolean;
}

export interface AutoBudget {
	/** A pass is made for a request above this. */
	readonly highWater: number;
	/** Where a pass stops. */
	readonly lowWater: number;
	/** No request is larger: the budget forces a pass here, whether it pays or not. */
	readonly ceiling: number;
	/** True if the ceiling is below the next price tier, and not where the cap or the window would put it. */
	readonly isBelowTier: boolean;
	/** A rewritten token costs as much as this many cached reads; undefined without prices. */
	readonly rewriteReads: number | undefined;
}

/** A pass that pays for itself soon enough is made at this share of the ceiling. */
const EARLY_SHARE = 0.75;
/** At the beginning of a turn it is made a little earlier, so that fewer passes fall into a tool loop. */
const TURN_SHARE = 0.9;
/** A pass that the budget does not force must pay for itself within this share of the requests so far. */
const PAYBACK_SHARE = 1 / 3;
/** A ceiling below a price tier leaves room for what we count too low. */
const TIER_MARGIN = 0.03;
/** A pass frees this many times the batch at which its savings just cover what it rewrites. */
const BATCH_FACTOR = 1.6;
/** Low water, as a share of where passes begin: the least that an agent can work with, and the most that is worth a pass. */
const LOW_SHARES = { least: 0.35, most: 0.45 };

/** Chooses high and low water for the next request. Pure. */
export function chooseBudget(situation: BudgetSituation): AutoBudget {
	const { prices, cap, floor, beginsTurn, isCold } = situation;
	const ceiling = budgetCeiling(prices, cap, floor);
	const isBelowTier = ceiling < cap;
	const usual = EARLY_SHARE * ceiling;
	const lowWater = Math.round(lowWaterOf(situation, usual));
	const rewriteReads = prices && prices.read > 0 ? prices.write / prices.read : undefined;
	const early = isCold ? (lowWater + usual) / 2 : beginsTurn ? TURN_SHARE * usual : usual;
	const highWater = Math.round(Math.max(lowWater, floor, paysSoon(situation, lowWater) ? early : ceiling));
	return { highWater: Math.min(highWater, ceiling), lowWater, ceiling, isBelowTier, rewriteReads };
}

/** The largest request under a cap. It crosses no price tier, unless what cannot leave has crossed it already. */
export function budgetCeiling(prices: ModelPrices | undefined, cap: number, floor: number): number {
	const step = prices ? Math.floor(nextStep(prices, floor) * (1 - TIER_MARGIN)) : Infinity;
	return Math.min(cap, Math.max(step, floor));
}

/** The dearer a rewrite and the faster the growth, the deeper. What cannot leave takes no room of the rest. */
function lowWaterOf({ prices, floor, growth }: BudgetSituation, usual: number): number {
	const { least, most } = LOW_SHARES;
	const batch = prices ? BATCH_FACTOR * bestBatch(usual, floor, growth, prices) : 0;
	const share = Math.min(most, Math.max(least, (usual - batch) / usual));
	return Math.min(usual, Math.max(share * usual, floor + least * (usual - floor)));
}

/** Returns true if a pass now is expected to pay for itself, and without prices. */
function paysSoon(situation: BudgetSituation, lowWater: number): boolean {
	const { prices, context: before, thinking: forfeited, floor, requests, isCold } = situation;
	if (!prices || before <= lowWater) return true;
	// Most of what cannot leave stands at the beginning, in front of every change.
	const rewritten = Math.max(0, lowWater - floor);
	const pass = { freed: before - lowWater, rewritten, forfeited, before, isCold };
	return pricePass(pass, prices).paidBackAfter <= PAYBACK_SHARE * requests;
}

/** A session of fewer requests has not shown yet how fast it grows. Tokens per request. */
const USUAL_GROWTH = 800;
const FEW_REQUESTS = 10;

/** The budget for the next request of a session, whose `budget` is the cap. */
export function autoBudgetFor(input: PlanInput): AutoBudget {
	return chooseBudget(situationOf(input, totalTokens(input.graph, input.view, input.fixed)));
}

function situationOf(input: PlanInput, context: number): BudgetSituation {
	const { graph, view, prices, budget: cap, isCold = false } = input;
	const requests = graph.history.growth.length;
	return {
		...{ prices, cap, context, isCold },
		floor: measureFloor(input).tokens,
		thinking: sentThinking(graph, view),
		growth: requests < FEW_REQUESTS ? USUAL_GROWTH : growthOf(graph),
		requests,
		beginsTurn: graph.openLoop >= graph.messages.length,
	};
}

/** Tokens of the thinking that the next request sends. Linear in what the graph holds. */
function sentThinking({ messages }: Graph, { removed }: View): number {
	const isSent = ({ type, id }: Item) => type === "reasoning" && !removed.has(id);
	return sumTokens(messages.flatMap(({ items }) => items.filter(isSent)));
}

/** No pass begins below this share of the cap or of the lowest price tier, so that nothing needs to be measured there. */
const QUIET_SHARE = 0.25;

/** The policy under an automatic budget: its `budget` is the cap, and the `lowWater` of its input does not matter. */
export function withAutoBudget(policy: Policy): Policy {
	return {
		...policy,
		highWater: (input) => autoBudgetFor({ ...input, isCold: false }).highWater,
		lowWater: (input) => autoBudgetFor(input).lowWater,
		plan(input) {
			const { graph, view, fixed, budget: cap, prices, lowWaterTokens } = input;
			// Whoever says where to stop wants the pass in any case.
			if (lowWaterTokens !== undefined) return policy.plan(input);
			const context = totalTokens(graph, view, fixed);
			if (context <= QUIET_SHARE * Math.min(cap, prices?.tiers[0]?.above ?? Infinity)) return undefined;
			const situation = situationOf(input, context);
			const { highWater, lowWater, ceiling } = chooseBudget(situation);
			if (context <= highWater) return undefined;
			// A policy that knows no low water, as Algorithm 1, evicts down to its budget.
			const limits = policy.lowWater ? { budget: ceiling, lowWaterTokens: lowWater } : { budget: highWater };
			const pass = policy.plan({ ...input, ...limits });
			return pass && (context > ceiling || paysForItself(input, situation, pass)) ? pass : undefined;
		},
	};
}

/** Decides on what the pass really does, which is less than its estimate where little can leave. */
function paysForItself(
	input: PlanInput,
	{ prices, thinking, requests, isCold }: BudgetSituation,
	pass: Pass,
) {
	if (!prices) return pass.after < pass.before;
	const effect = { ...passEffect(input, pass), forfeited: thinking, before: pass.before, isCold };
	return effect.freed > 0 && pricePass(effect, prices).paidBackAfter <= PAYBACK_SHARE * requests;
}
