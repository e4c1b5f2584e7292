/** The cost of a request: as the provider reported it, or, for a request of a replay, as the provider charged the one that was sent. */
import { type ModelPrices, requestCost } from "#core/prices";
import { type Answer, inputTokens } from "#pi/codec";
import type { PriceList, RequestSize } from "../metrics/prices.ts";

/** The input tokens and the cost of a request. */
export interface Charged {
	readonly tokens: number;
	readonly cost: number;
}

/** A request as an arm sent it, in our tokens. */
export interface CountedRequest extends RequestSize {
	/** The input tokens that the arm's request before began with too, whichever model answered it; prompt and tools always. */
	readonly reach: number;
}

/** How the provider charged a request, compared with what its messages and the rule of its cache explain. */
export type Bill = Readonly<typeof usualBill>;

/** A cache that holds this share of what came before holds all of it. */
const WHOLE = 0.95;

/** The bill of a request without usage. */
export const usualBill = {
	/** The provider's tokens for one more that was counted. */
	factor: 1,
	/** The tokens that the provider counted beyond that, the same in a request of any size: such as framing, and what the file does not hold. */
	rest: 0,
	/** The share of the cached prefix that the provider had not lost. */
	kept: 1,
	/** The tokens up to which it had a cache from elsewhere, such as another branch of the session; Infinity: of all that came before. */
	elsewhere: 0,
	/** The share of the rest that it did not write to its cache. */
	fresh: 0,
	/** The dollars that were charged for one at the prices of its model. */
	price: 1,
};

export function billOf(answer: Answer, sent: CountedRequest, prices: PriceList, factor: number): Bill {
	const { input, cacheRead } = answer.usage;
	const all = inputTokens(answer);
	const due = (all * prices.hits(sent)) / sent.tokens;
	const reach = (all * sent.reach) / sent.tokens;
	const isElsewhere = cacheRead > due && due < WHOLE * reach;
	const position = cacheRead < WHOLE * reach ? cacheRead : Infinity;
	const uncached = all - cacheRead;
	const listed = listedCost(answer.usage, prices);
	return {
		factor,
		rest: all - factor * sent.tokens,
		kept: due > 0 ? Math.min(1, cacheRead / due) : 1,
		elsewhere: isElsewhere ? position : 0,
		fresh: uncached > 0 ? input / uncached : 0,
		price: listed > 0 ? chargeUsage(answer.usage, prices).cost / listed : 1,
	};
}

/** Charges a request that was counted. A cache from elsewhere serves it as far as it begins like the one before. */
export function charge(request: CountedRequest, bill: Bill, prices: PriceList): Charged {
	const { factor, rest, kept, elsewhere, fresh, price } = bill;
	const tokens = Math.max(0, Math.round(factor * request.tokens + rest));
	const own = (tokens * kept * prices.hits(request)) / request.tokens;
	const cached = Math.max(own, Math.min(elsewhere, (tokens * request.reach) / request.tokens));
	const uncached = tokens - cached;
	const cost = requestCost(prices, {
		fresh: fresh * uncached,
		cached,
		written: (1 - fresh) * uncached,
		output: request.outputTokens,
	});
	return { tokens, cost: price * cost };
}

/** Charges what pi charged, as its footer adds it; at these prices where pi recorded no charge. */
export function chargeUsage(usage: Answer["usage"], prices: ModelPrices): Charged {
	const { input, cacheRead, cacheWrite, cost } = usage;
	return { tokens: input + cacheRead + cacheWrite, cost: cost?.total || listedCost(usage, prices) };
}

function listedCost(usage: Answer["usage"], prices: ModelPrices): number {
	const { input: fresh, cacheRead: cached, cacheWrite: written, output } = usage;
	return requestCost(prices, { fresh, cached, written, output });
}
