/** The cost of requests under prompt caching and of passes: the one place where tokens become money. */

/** Prices of one token, in any unit of money. */
export interface TokenPrices {
	/** Input that is neither read from the cache nor written to it. */
	readonly input: number;
	readonly output: number;
	/** Input that the provider reads from its cache. */
	readonly read: number;
	/** Input that the provider writes to its cache for the usual time; the price of `input` where writing is free. */
	readonly write: number;
	/** Input that is written for the longer time: an hour at Anthropic, 12 hours at OpenAI. */
	readonly longWrite: number;
}

/** Prices of a request with more than `above` tokens of input. They hold for all of its tokens, output included. */
export interface PriceTier extends TokenPrices {
	readonly above: number;
}

/** The prices of one model. */
export interface ModelPrices extends TokenPrices {
	/** Ordered by `above`. */
	readonly tiers: readonly PriceTier[];
}

/** One request, in tokens. The kinds of input add up to all of it. */
export interface RequestTokens {
	readonly fresh: number;
	readonly cached: number;
	readonly written: number;
	readonly longWritten?: number;
	readonly output: number;
}

/** The prices of a request with so many input tokens. */
export function pricesAt(prices: ModelPrices, inputTokens: number): TokenPrices {
	return prices.tiers.findLast(({ above }) => inputTokens > above) ?? prices;
}

/** The cost of one request. Counts that are negative or not finite, as a faulty host reports them, count as 0. */
export function requestCost(prices: ModelPrices, tokens: RequestTokens): number {
	const fresh = countOf(tokens.fresh);
	const cached = countOf(tokens.cached);
	const written = countOf(tokens.written);
	const longWritten = countOf(tokens.longWritten ?? 0);
	const at = pricesAt(prices, fresh + cached + written + longWritten);
	const input = at.input * fresh + at.read * cached + at.write * written + at.longWrite * longWritten;
	return input + at.output * countOf(tokens.output);
}

function countOf(tokens: number): number {
	return Number.isFinite(tokens) ? Math.max(0, tokens) : 0;
}

/** The largest input that a request of at least so many tokens can have at its prices; Infinity above the last tier. */
export function nextStep(prices: ModelPrices, inputTokens: number): number {
	return prices.tiers.find(({ above }) => above >= inputTokens)?.above ?? Infinity;
}

/** The prices of a host that writes its cache for the longer time only. */
export function withLongWrites(prices: ModelPrices): ModelPrices {
	const tiers = prices.tiers.map((tier) => ({ ...tier, write: tier.longWrite }));
	return { ...prices, write: prices.longWrite, tiers };
}

/** The unit is tokens. */
export interface PricedPass {
	/** Every later request is smaller by this, forfeited thinking included. */
	readonly freed: number;
	/** Cached tokens behind the first change, which are written again. */
	readonly rewritten: number;
	/** Thinking that the pass makes invalid. */
	readonly forfeited?: number;
	/** Second looks to expect: requests that bring evicted content back, the tokens that they bring, and those of an answer to each. */
	readonly looks?: { readonly requests: number; readonly tokens: number; readonly answer: number };
	/** The input of the next request without the pass. It decides on the price tier. */
	readonly before: number;
	/** True if the provider has dropped its cache, so that everything is written anyway. */
	readonly isCold?: boolean;
}

/**
 * The share of forfeited thinking that a model produces again. An assumption: one probe of a single step saw three times
 * the usual output after a loss, and most old thinking is never needed again.
 */
export const RETHOUGHT_SHARE = 0.05;

/** The requests after which the cheaper ones have paid for a pass; Infinity: it never pays for itself. */
export function paidBackAfter(pass: PricedPass, prices: ModelPrices): number {
	const {
		freed,
		rewritten,
		forfeited = 0,
		looks = { requests: 0, tokens: 0, answer: 0 },
		before,
		isCold = false,
	} = pass;
	const without = pricesAt(prices, before);
	const now = pricesAt(prices, before - freed);
	const broken = isCold ? 0 : rewritten * Math.max(0, now.write - now.read);
	const look = (before - freed) * now.read + looks.answer * now.output;
	const secondLooks = looks.requests * look + looks.tokens * now.write;
	const cost = broken + RETHOUGHT_SHARE * forfeited * now.output + secondLooks;
	// Below a price tier, what stays is cheaper too.
	const saving = freed * without.read + (before - freed) * Math.max(0, without.read - now.read);
	return saving > 0 ? Math.ceil(cost / saving) : Infinity;
}
