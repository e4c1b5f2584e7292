/** The cost and the savings of a pass at a model's prices. */
import type { CachePrices, PassEffect } from "#core";

/** US dollars per million tokens, as pi's models have them. A `cacheWrite` of 0 is charged as input. */
export interface ModelPrices {
	readonly input: number;
	readonly cacheRead: number;
	readonly cacheWrite: number;
}

export interface PassPrice {
	/** US dollars, once: what is sent anew, beyond what reading it from the cache would have cost. */
	readonly cost: number;
	/** US dollars for every request after it. */
	readonly saving: number;
	/** Requests after which it has paid for itself. */
	readonly paidBackAfter: number;
}

const MILLION = 1_000_000;

/** Prices as a plan wants them; undefined for models without prices, such as those that run on this machine. */
export function cachePrices({ input, cacheRead, cacheWrite }: ModelPrices): CachePrices | undefined {
	// A provider without a cache price reads at the price of input, and then a pass costs nothing.
	const read = cacheRead > 0 ? cacheRead : input;
	const isPriced = Number.isFinite(read) && read > 0;
	return isPriced ? { read, write: cacheWrite > 0 ? cacheWrite : input } : undefined;
}

/** The price of a pass while the cache is warm; undefined for models without prices. */
export function pricePass({ freed, rewritten }: PassEffect, prices: ModelPrices): PassPrice | undefined {
	const known = cachePrices(prices);
	if (!known) return undefined;
	const { read, write } = known;
	const cost = (rewritten * Math.max(0, write - read)) / MILLION;
	const saving = (freed * read) / MILLION;
	return { cost, saving, paidBackAfter: saving > 0 ? Math.ceil(cost / saving) : Infinity };
}
