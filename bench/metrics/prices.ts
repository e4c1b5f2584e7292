/**
 * What a request costs under the two kinds of prompt caching, in units of one uncached input token. The relative
 * prices are those of the providers' price lists: a tenth for a cache read, a quarter more for an Anthropic cache write.
 */

export interface PriceList {
	readonly read: number;
	/** What an input token costs that the cache does not serve: writing it included where that is charged. */
	readonly fresh: number;
	readonly output: number;
	/** The tokens that the provider serves from its cache when this many are shared with the previous request. */
	readonly hits: (sharedTokens: number) => number;
}

/** OpenAI serves prefixes from this length on, in these steps; both in tokens. */
const OPENAI_SMALLEST = 1_024;
const OPENAI_STEP = 128;

export const priceLists = {
	/** Breakpoints are taken to stand where they serve best: the whole shared prefix is read. */
	anthropic: { read: 0.1, fresh: 1.25, output: 5, hits: (shared) => shared },
	openai: {
		read: 0.1,
		fresh: 1,
		output: 6,
		hits: (shared) => (shared < OPENAI_SMALLEST ? 0 : shared - (shared % OPENAI_STEP)),
	},
} as const satisfies Readonly<Record<string, PriceList>>;

export interface RequestSize {
	/** All input tokens, prompt and tools included. */
	readonly tokens: number;
	/** Of those, the tokens that the previous request began with too. */
	readonly sharedTokens: number;
	readonly outputTokens: number;
}

/** The cost of one request in uncached input tokens. */
export function priceRequest(request: RequestSize, prices: PriceList): number {
	const hits = prices.hits(request.sharedTokens);
	return prices.read * hits + prices.fresh * (request.tokens - hits) + prices.output * request.outputTokens;
}
