/** The cost of a request: as the provider reported it, or, for a request of a replay, as the provider charged the one that was sent. */
import { type ModelPrices, requestCost } from "#core/prices";
import { type Answer, inputTokens } from "#pi/codec";
import type { PriceList, RequestSize } from "../metrics/prices.ts";

/** The input tokens and the cost of a request. */
export interface Charged {
	readonly tokens: number;
	readonly cost: number;
}

/** How the provider charged a request, compared with what its messages and the rule of its cache explain. */
interface Bill {
	/** The provider's tokens for one more that was counted. */
	readonly factor: number;
	/** The tokens that the provider counted beyond that, the same in a request of any size: such as framing, and what the file does not hold. */
	readonly rest: number;
	/** The share of what its cache held of the prefix that it had not lost. */
	readonly kept: number;
	/** The share of the rest that it was not asked to write to its cache. */
	readonly fresh: number;
	/** True if the next request cannot read that share from the cache. */
	readonly isUnwritten: boolean;
	/** The dollars that were charged for one at the prices of its model. */
	readonly price: number;
}

/** The bill of a request without usage. */
export const usualBill: Bill = { factor: 1, rest: 0, kept: 1, fresh: 0, isUnwritten: false, price: 1 };

/** The bill of a request; `held`: the tokens of the model's last request that its cache had read or written. */
export function billOf(
	answer: Answer,
	sent: RequestSize,
	prices: PriceList,
	{ factor, held, isUnwritten }: Pick<Bill, "factor" | "isUnwritten"> & { readonly held: number },
): Bill {
	const { input, cacheRead } = answer.usage;
	const all = inputTokens(answer);
	const due = dueTokens(sent, all, prices, held);
	const uncached = all - cacheRead;
	const listed = listedCost(answer.usage, prices);
	return {
		factor,
		rest: all - factor * sent.tokens,
		kept: due > 0 ? Math.min(1, cacheRead / due) : 1,
		fresh: uncached > 0 ? input / uncached : 0,
		isUnwritten,
		price: listed > 0 ? chargeUsage(answer.usage, prices).cost / listed : 1,
	};
}

/** Tokens that the cache serves of a request unless it has lost them: it can hold no more than it was given. */
function dueTokens(request: RequestSize, tokens: number, prices: PriceList, held: number): number {
	return Math.min(held, (tokens * prices.hits(request)) / request.tokens);
}

/** Charges a request that was counted; `held` as the last request of its model left it, and as this one leaves it. */
export function charge(
	request: RequestSize,
	bill: Bill,
	prices: PriceList,
	held: number,
): Charged & { readonly held: number } {
	const { factor, rest, kept, fresh, price, isUnwritten } = bill;
	const tokens = Math.max(0, Math.round(factor * request.tokens + rest));
	const cached = kept * dueTokens(request, tokens, prices, held);
	const uncached = tokens - cached;
	const cost = requestCost(prices, {
		fresh: fresh * uncached,
		cached,
		written: (1 - fresh) * uncached,
		output: request.outputTokens,
	});
	return { tokens, cost: price * cost, held: isUnwritten ? tokens - fresh * uncached : Infinity };
}

/** Charges what the provider reported; nothing where it reported nothing. */
export function chargeReported(answer: Answer, prices: PriceList): Charged {
	return inputTokens(answer) > 0 ? chargeUsage(answer.usage, prices) : { tokens: 0, cost: 0 };
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
