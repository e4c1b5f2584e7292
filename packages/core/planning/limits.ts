/** The sizes that passes go by: the ceiling, which no request exceeds, and low water, where a pass that it forces stops. */
import { measureFloor } from "../ledger/ledger.ts";
import { type ModelPrices, nextStep } from "../prices/prices.ts";
import { dialOf } from "./payoff.ts";
import type { Dial, Limits, PlanInput, Policy } from "./policy.ts";

/** A ceiling below a price tier leaves room for what is counted too low. */
const TIER_MARGIN = 0.03;
/** Low water, as a share of the room that what cannot leave takes none of. */
const lowShares: Readonly<Record<Dial, number>> = {
	economy: 0.25,
	balanced: 0.3,
	quality: 0.45,
};

/** The limits of the next request. Linear in the messages of people. */
export function limitsOf(input: PlanInput): Limits {
	const { budget, lowWater, lowWaterTokens } = input;
	const floor = measureFloor(input).tokens;
	const ceiling = ceilingOf(input);
	const chosen = typeof lowWater === "number" ? lowWater * ceiling : undefined;
	const usual = () => floor + lowShares[dialOf(input)] * (ceiling - floor);
	const low = lowWaterTokens ?? Math.max(floor, chosen ?? usual());
	return { ceiling, lowWater: Math.min(ceiling, Math.round(low)), isBelowTier: ceiling < budget };
}

/** Where a manual pass stops under a policy without limits, as a share of the budget. */
const LOW_WATER = 0.65;

/** Where a pass that a person asks for stops, in tokens. */
export function lowWaterOf(policy: Policy, input: PlanInput): number {
	const share = typeof input.lowWater === "number" ? input.lowWater : LOW_WATER;
	return Math.floor(policy.limits?.(input).lowWater ?? share * input.budget);
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
