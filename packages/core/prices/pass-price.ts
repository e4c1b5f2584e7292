/** The cost of a pass, and its saving with every request after it. */
import { type ModelPrices, pricesAt } from "./prices.ts";

/** In tokens. */
export interface PricedPass {
	/** Every later request is smaller by this, forfeited thinking included. */
	readonly freed: number;
	/** Cached tokens behind the first change, which are sent anew. */
	readonly rewritten: number;
	/** Thinking that the pass makes invalid. */
	readonly forfeited?: number;
	/** The input of the next request without the pass. It decides on the price tier. */
	readonly before: number;
	/** True if the provider has dropped its cache, so that everything is written anyway. */
	readonly isCold?: boolean;
}

export interface PassPrice {
	/** Once, in the unit of the prices. */
	readonly cost: number;
	/** For every request after it. */
	readonly saving: number;
	/** Requests after which it has paid for itself; Infinity if it never does. */
	readonly paidBackAfter: number;
}

/**
 * The share of forfeited thinking that a model produces again. An assumption: one probe of a single step saw three times
 * the usual output after a loss, and most old thinking is never needed again.
 */
export const RETHOUGHT_SHARE = 0.05;

/** The price of a pass. */
export function pricePass(pass: PricedPass, prices: ModelPrices): PassPrice {
	const { freed, rewritten, forfeited = 0, before, isCold = false } = pass;
	const without = pricesAt(prices, before);
	const now = pricesAt(prices, before - freed);
	const broken = isCold ? 0 : rewritten * Math.max(0, now.write - now.read);
	const cost = broken + RETHOUGHT_SHARE * forfeited * now.output;
	// Below a price tier, what stays is cheaper too.
	const saving = freed * without.read + (before - freed) * Math.max(0, without.read - now.read);
	return { cost, saving, paidBackAfter: saving > 0 ? Math.ceil(cost / saving) : Infinity };
}
