/** The cost and the savings of a pass under prompt caching, and the best size of its batch. All sizes in tokens. */
import type { Graph } from "../graph/graph.ts";
import type { Decision } from "../log/pass.ts";
import { type ModelPrices, pricePass, type TokenPrices } from "../prices/prices.ts";

/** One token read from the cache, and one written to it, in any unit of money. */
export type CachePrices = Pick<TokenPrices, "read" | "write">;

/** The smallest batch, as a share of the budget: below it every few requests are a pass. */
const MIN_BATCH = 0.15;

/** Tokens that the session has added for each answer; at least 1. */
export function growthOf({ history, tokens }: Graph): number {
	return Math.max(1, tokens / Math.max(1, history.growth.length));
}

/**
 * The batch that costs least under a fixed budget: an economic order quantity. A break every R / g requests rewrites
 * what stays, so R* = (sqrt(k^2 + 4 k (H - p)) - k) / 2 with k = 2 g (w - r) / r, where H is the budget, p what stands
 * before any cut, g the growth. It is small where reading from the cache is not much cheaper than writing.
 */
export function bestBatch(
	budget: number,
	floor: number,
	growth: number,
	{ read, write }: CachePrices,
): number {
	const k = (2 * growth * Math.max(0, write - read)) / read;
	return (Math.sqrt(k * k + 4 * k * Math.max(0, budget - floor)) - k) / 2;
}

/** Where a pass stops: where it is wished to stop, higher when so large a batch would not be worth what it takes. */
export function lowWaterFor(
	wished: number,
	budget: number,
	floor: number,
	growth: number,
	prices: CachePrices | undefined,
): number {
	if (!prices) return wished;
	const best = bestBatch(budget, floor, growth, prices);
	// Reads that cost nothing, or prices that are worlds apart, say only that caching is cheap.
	if (!Number.isFinite(best)) return wished;
	return Math.max(wished, budget - Math.max(MIN_BATCH * budget, best));
}

/** Estimates the cost and the savings of a pass. Its prefix break costs nothing when the cache is cold. */
export function decide(
	effect: { readonly freed: number; readonly rewritten: number },
	situation: {
		readonly isCold: boolean;
		/** The size of the request without the pass. */
		readonly before: number;
		readonly budget: number;
		readonly room: number;
		readonly growth: number;
	},
	prices: ModelPrices | undefined,
): Decision {
	const { isCold, before, budget, room, growth } = situation;
	const figures = {
		reason: isCold
			? ("cold cache" as const)
			: before > budget
				? ("over budget" as const)
				: ("pays for itself" as const),
		freed: Math.round(effect.freed),
		rewritten: Math.round(effect.rewritten),
		growth: Math.round(growth),
		requestsToNext: Math.max(0, Math.floor(room / growth)),
	};
	if (!prices) return figures;
	const { paidBackAfter } = pricePass({ ...effect, before, isCold }, prices);
	return Number.isFinite(paidBackAfter) ? { ...figures, paidBackAfter } : figures;
}
