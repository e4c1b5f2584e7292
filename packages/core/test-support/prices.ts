import type { ModelPrices, TokenPrices } from "../prices/prices.ts";

/** Prices of a model without tiers. Input costs 1 and output 5; writing costs what input costs unless it is given. */
export function flatPrices(prices: Partial<TokenPrices> = {}): ModelPrices {
	return { input: 1, output: 5, read: 0.1, write: 1, longWrite: 2, tiers: [], ...prices };
}
