/**
 * The sizes that passes go by: the ceiling, which no request exceeds; the mark, from which on a pass over the whole context
 * is made once it pays for itself; and low water, where such a pass stops.
 */
import { measureFloor } from "../ledger/ledger.ts";
import { type ModelPrices, nextStep, type TokenPrices } from "../prices/prices.ts";
import { dialOf, growthOf } from "./payoff.ts";
import type { Dial, Limits, PlanInput, Policy } from "./policy.ts";

/** Under an automatic budget the mark stands at this share of the ceiling. */
const EARLY_SHARE = 0.75;
/** At the beginning of a turn it stands a little lower, so that fewer passes fall into a tool loop. */
const TURN_SHARE = 0.9;
/** A ceiling below a price tier leaves room for what is counted too low. */
const TIER_MARGIN = 0.03;
/** A pass frees this many times the batch at which its savings just cover what it rewrites. */
const BATCH_FACTOR = 1.6;
/** Low water as a share of the mark: the least that an agent can work with, and the most that is worth a pass. */
const lowShares: Readonly<Record<Dial, { readonly least: number; readonly most: number }>> = {
	economy: { least: 0.3, most: 0.35 },
	balanced: { least: 0.35, most: 0.45 },
	quality: { least: 0.6, most: 0.75 },
};
/** Of a budget that a person set this share more stays: it is usually small, and the agent has to work with what is left. */
const FIXED_MORE = 0.1;
/** Content that cannot leave does not press the rest out: this share of the room for the rest stays. */
const MIN_LEFT = 0.35;

/** The limits of the next request. Linear in the messages of people. */
export function limitsOf(input: PlanInput): Limits {
	const { budget, isAuto = false, isCold = false } = input;
	const floor = measureFloor(input).tokens;
	const ceiling = ceilingOf(input);
	const isEarly = isAuto && dialOf(input) !== "quality";
	const usual = isEarly ? EARLY_SHARE * ceiling : ceiling;
	const lowWater = Math.min(ceiling, Math.round(lowWaterUnder(input, usual, floor)));
	const mark = isCold ? (lowWater + usual) / 2 : isEarly && beginsTurn(input) ? TURN_SHARE * usual : usual;
	return {
		...{ ceiling, lowWater, isBelowTier: ceiling < budget },
		mark: Math.min(ceiling, Math.round(Math.max(lowWater, floor, mark))),
	};
}

/** Where a manual pass stops under a policy without limits, as a share of the budget. */
const LOW_WATER = 0.65;

/** Where a pass that a person asks for stops, in tokens. */
export function lowWaterOf(policy: Policy, input: PlanInput): number {
	const share = typeof input.lowWater === "number" ? input.lowWater : LOW_WATER;
	return Math.floor(policy.limits?.(input).lowWater ?? share * input.budget);
}

/** The size from which on the next pass over the whole context may be made, in tokens. */
export function markOf(policy: Policy, input: PlanInput): number {
	return policy.limits?.({ ...input, isCold: false }).mark ?? ceilingOf(input);
}

/** The most that a request may hold: the budget; of an automatic one, what stays below the next price tier. */
export function ceilingOf(input: PlanInput): number {
	const { budget, prices, isAuto = false } = input;
	return isAuto ? ceilingUnder(budget, prices, measureFloor(input).tokens) : budget;
}

/** The largest request under a cap. It crosses no price tier, unless what cannot leave has crossed it already. */
export function ceilingUnder(cap: number, prices: ModelPrices | undefined, floor: number): number {
	const step = prices ? Math.floor(nextStep(prices, floor) * (1 - TIER_MARGIN)) : Infinity;
	return Math.min(cap, Math.max(step, floor));
}

/** Returns true if the next request begins a turn, so that no tool loop loses its thinking. */
export function beginsTurn({ graph }: Pick<PlanInput, "graph">): boolean {
	return graph.openLoop >= graph.messages.length;
}

/** The dearer a rewrite and the faster the growth, the deeper. */
function lowWaterUnder(input: PlanInput, usual: number, floor: number): number {
	const { lowWater, lowWaterTokens, prices, graph, isAuto = false } = input;
	if (lowWaterTokens !== undefined) return lowWaterTokens;
	const isShare = typeof lowWater === "number";
	const { least, most } = isShare ? { least: lowWater, most: lowWater } : lowShares[dialOf(input)];
	const batch = prices ? BATCH_FACTOR * bestBatch(usual, floor, growthOf(graph), prices) : 0;
	const more = isShare || isAuto ? 0 : FIXED_MORE;
	const share = more + Math.min(most, Math.max(least, (usual - batch) / usual));
	return Math.min(usual, Math.max(share * usual, floor + MIN_LEFT * (usual - floor)));
}

/**
 * The batch that costs least under a budget, in tokens: an economic order quantity. A break every R / g requests rewrites
 * what stays, so R* = (sqrt(k^2 + 4 k (H - p)) - k) / 2 with k = 2 g (w - r) / r, where H is the budget, p what stands
 * before any cut, g the growth. It is small where reading from the cache is not much cheaper than writing; 0 where reads
 * cost nothing, which only says that caching is cheap.
 */
function bestBatch(
	budget: number,
	floor: number,
	growth: number,
	{ read, write }: Pick<TokenPrices, "read" | "write">,
): number {
	const k = (2 * growth * Math.max(0, write - read)) / read;
	const batch = (Math.sqrt(k * k + 4 * k * Math.max(0, budget - floor)) - k) / 2;
	return Number.isFinite(batch) ? batch : 0;
}
