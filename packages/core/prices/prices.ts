/** The prices of a model: one table for every decision and every report. Prices in any unit of money per token. */

export interface TokenPrices {
	/** An input token that is neither read from the cache nor written to it. */
	readonly input: number;
	readonly output: number;
	/** An input token that the provider reads from its cache. */
	readonly read: number;
	/** An input token that the provider writes to its cache; the price of input where writing is free. */
	readonly write: number;
}

/** Prices of requests whose whole input passes a number of tokens; every token of such a request costs them. */
export interface PriceTier extends TokenPrices {
	readonly above: number;
}

export interface ModelPrices extends TokenPrices {
	/** An input token that is written to be kept for an hour; twice the price of input where nobody told. */
	readonly longWrite: number;
	/** By rising number of tokens. */
	readonly tiers: readonly PriceTier[];
}

/** One request, in tokens; the three parts of its input add up to all of it. */
export interface RequestTokens {
	readonly fresh: number;
	readonly cached: number;
	readonly written: number;
	readonly output: number;
}

/** The prices of a request with this much input. */
export function pricesAt(prices: ModelPrices, inputTokens: number): TokenPrices {
	return prices.tiers.findLast(({ above }) => inputTokens > above) ?? prices;
}

/** The cost of one request. Its size decides on the prices of all of its tokens. */
export function requestCost(prices: ModelPrices, { fresh, cached, written, output }: RequestTokens): number {
	const { input, read, write, output: said } = pricesAt(prices, fresh + cached + written);
	return input * fresh + read * cached + write * written + said * output;
}

/** The largest request that stays below the next tariff step, in tokens; Infinity above the last one. */
export function nextStep(prices: ModelPrices, inputTokens: number): number {
	return prices.tiers.find(({ above }) => above >= inputTokens)?.above ?? Infinity;
}
