/**
 * The cost of a replayed request under the two kinds of prompt caching: at a model's prices, or at usual ones in units
 * of one uncached input token (a tenth for a cache read, a quarter more for an Anthropic cache write).
 */
import { type ModelPrices, requestCost } from "#core/prices";
import type { ExtraCall } from "../policies/replay-policy.ts";

/** Prices, and the provider's rule of what it serves from its cache. */
export interface PriceList extends ModelPrices {
	/** The input tokens of a request that the provider serves from its cache. */
	readonly hits: (request: RequestSize) => number;
}

/** OpenAI serves prefixes from this length on, in these steps; both in tokens. */
const OPENAI_SMALLEST = 1_024;
const OPENAI_STEP = 128;

/** OpenAI's rule, which other providers with automatic caching follow closely enough (prompt-caching guide). */
export function prefixHits({ sharedTokens: shared }: RequestSize): number {
	return shared < OPENAI_SMALLEST ? 0 : shared - (shared % OPENAI_STEP);
}

/**
 * Anthropic's rule with a breakpoint at the end of each request and of the prompt: an entry ends where an earlier
 * request ended, so that of a broken prefix only the part up to such an end is read (prompt-caching guide).
 */
export function breakpointHits({ endedTokens, sharedTokens }: RequestSize): number {
	const hits = endedTokens ?? sharedTokens;
	return hits < ANTHROPIC_SMALLEST ? 0 : hits;
}

/** Prices in units of one uncached input token, with a cache read at a tenth. */
function relative({ write, output }: Pick<ModelPrices, "write" | "output">): ModelPrices {
	return { input: 1, output, read: 0.1, write, longWrite: 2, tiers: [] };
}

/** Anthropic caches no shorter prompt, in tokens; some models want more. */
const ANTHROPIC_SMALLEST = 1_024;

export const priceLists = {
	/** Breakpoints are taken to stand where they serve best: the whole shared prefix is read. */
	anthropic: { ...relative({ write: 1.25, output: 5 }), hits: ({ sharedTokens }) => sharedTokens },
	openai: { ...relative({ write: 1, output: 6 }), hits: prefixHits },
} as const satisfies Readonly<Record<string, PriceList>>;

export interface RequestSize {
	/** All input tokens, prompt and tools included. */
	readonly tokens: number;
	/** Of those, the tokens that the previous request began with too. */
	readonly sharedTokens: number;
	/** Of the shared tokens, those up to the last place where an earlier request ended; all of them when left out. */
	readonly endedTokens?: number;
	readonly outputTokens: number;
}

/** The cost of one request, in the unit of the prices. */
export function priceRequest(request: RequestSize, prices: PriceList): number {
	const cached = prices.hits(request);
	return priceCall({ input: request.tokens, cached, output: request.outputTokens }, prices);
}

/** The cost of one call whose cached part is known: input that the cache does not serve is written to it. */
export function priceCall({ input, cached, output }: ExtraCall, prices: PriceList): number {
	return requestCost(prices, { fresh: 0, cached, written: input - cached, output });
}
