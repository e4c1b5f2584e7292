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
	/** The provider's tokens for one that was counted. */
	readonly size: number;
	/** The share of the cached prefix that the provider had not lost. */
	readonly kept: number;
	/** The share of the rest that it did not write to its cache. */
	readonly fresh: number;
	/** The dollars that were charged for one at the prices of its model. */
	readonly price: number;
}

/** The bill of a request without usage. */
export const usualBill: Bill = { size: 1, kept: 1, fresh: 0, price: 1 };

export function billOf(answer: Answer, sent: RequestSize, prices: PriceList): Bill {
	const { input, cacheRead } = answer.usage;
	const all = inputTokens(answer);
	const size = all / sent.tokens;
	const due = size * prices.hits(sent);
	const rest = all - cacheRead;
	const listed = listedCost(answer.usage, prices);
	return {
		size,
		kept: due > 0 ? Math.min(1, cacheRead / due) : 1,
		fresh: rest > 0 ? input / rest : 0,
		price: listed > 0 ? chargeUsage(answer.usage, prices).cost / listed : 1,
	};
}

/** Charges a request that was counted. */
export function charge(request: RequestSize, { size, kept, fresh, price }: Bill, prices: PriceList): Charged {
	const tokens = Math.round(size * request.tokens);
	const cached = Math.min(tokens, size * kept * prices.hits(request));
	const rest = tokens - cached;
	const cost = requestCost(prices, {
		fresh: fresh * rest,
		cached,
		written: (1 - fresh) * rest,
		output: request.outputTokens,
	});
	return { tokens, cost: price * cost };
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
