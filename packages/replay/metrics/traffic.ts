/** Sizes, caching and cost of requests: tallied request by request, summed over sessions, and as a report gives them. */
import type { ExtraCall } from "../policies/replay-policy.ts";
import { type PriceList, priceCall, priceRequest, type RequestSize } from "./prices.ts";

export interface RequestMeasure extends RequestSize {
	/** True if it does not begin with the whole request before it. */
	readonly isBreak: boolean;
	/** True if a pass that evicted something was made for it. */
	readonly hasPass: boolean;
	readonly isOverBudget: boolean;
	/** Model calls that the policy made before it. */
	readonly extraCalls: readonly ExtraCall[];
}

/** Sums over requests. Tallies of different sessions add up, so that no request has to be kept. */
export type Tally = ReturnType<typeof emptyTally>;

const noCalls: ExtraCall & { readonly calls: number } = { calls: 0, input: 0, cached: 0, output: 0 };

/** The tally of no request, over so many price lists. */
export function emptyTally(lists: number) {
	return {
		/** `tokensProcessed`: input tokens of all requests; those of extra calls are not among them. */
		requests: 0,
		tokensProcessed: 0,
		maxContext: 0,
		overBudget: 0,
		passes: 0,
		prefixBreaks: 0,
		/** Tokens that the previous request began with too. */
		shared: 0,
		/** Model calls of the policy's own, summed up; in tokens. */
		extraCalls: noCalls,
		/** By price list, in the order of the lists; extra calls included. */
		costs: new Array<number>(lists).fill(0),
	};
}

/** The tally of one request. */
export function tallyRequest(request: RequestMeasure, lists: readonly PriceList[]): Tally {
	const { tokens, sharedTokens, extraCalls } = request;
	return {
		requests: 1,
		tokensProcessed: tokens,
		maxContext: tokens,
		shared: sharedTokens,
		overBudget: Number(request.isOverBudget),
		passes: Number(request.hasPass),
		prefixBreaks: Number(request.isBreak),
		extraCalls: extraCalls.map((call) => ({ calls: 1, ...call })).reduce(addUp, noCalls),
		costs: lists.map((prices) =>
			extraCalls.reduce((sum, call) => sum + priceCall(call, prices), priceRequest(request, prices)),
		),
	};
}

export type Traffic = ReturnType<typeof describeTraffic>;

/** The figures of a tally whose costs are those of the two kinds of provider, then those of `models`. */
export function describeTraffic(tally: Tally, models: readonly string[]) {
	const { costs, shared, extraCalls, ...counts } = tally;
	const { requests, tokensProcessed: tokens } = counts;
	return {
		...counts,
		meanContext: requests === 0 ? 0 : tokens / requests,
		/** The share of the input tokens that the previous request began with too; null without any. */
		cachedShare: tokens === 0 ? null : shared / tokens,
		/** Extra calls included. */
		...describeCosts(costs, models),
		extraCalls,
	};
}

/** `cost` in uncached input tokens by kind of provider, `dollars` by model. */
export function describeCosts(
	[anthropic = 0, openai = 0, ...dollars]: readonly number[],
	models: readonly string[],
) {
	return {
		cost: { anthropic, openai },
		dollars: Object.fromEntries(models.map((model, i) => [model, dollars[i] ?? 0])),
	};
}

/**
 * Adds two records of the same shape, number by number, through nested records and lists. The larger one of two numbers
 * stays if their name begins with `max`; what is no number is taken from the first record.
 */
export function addUp<Figures extends object>(a: Figures, b: Figures): Figures {
	return addAny(a, b, "") as Figures;
}

function addAny(a: unknown, b: unknown, name: string): unknown {
	if (typeof a === "number" && typeof b === "number") return name.startsWith("max") ? Math.max(a, b) : a + b;
	if (Array.isArray(a) && Array.isArray(b)) return a.map((each, index) => addAny(each, b[index], ""));
	if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return a;
	const other = new Map<string, unknown>(Object.entries(b));
	return Object.fromEntries(Object.entries(a).map(([key, each]) => [key, addAny(each, other.get(key), key)]));
}
