/** Sizes, caching and cost of requests: tallied request by request, summed over sessions, and as a report gives them. */
import type { ExtraCall } from "../policies/replay-policy.ts";
import { addUp } from "./add-up.ts";
import { type PriceList, priceCall, priceRequest, type RequestSize, requestSeconds } from "./prices.ts";

export interface RequestMeasure extends RequestSize {
	/** The first of its session has nothing to extend. */
	readonly follows: "nothing" | "extends" | "breaks";
	/** True if a pass that evicted something was made for it. */
	readonly hasPass: boolean;
	readonly isOverBudget: boolean;
	/** Model calls that the policy made before it. */
	readonly extraCalls: readonly ExtraCall[];
}

/** Sums over requests. Tallies of different sessions add up, so that no request has to be kept. */
export interface Tally {
	readonly requests: number;
	/** Input tokens of all requests. */
	readonly tokens: number;
	readonly maxContext: number;
	readonly overBudget: number;
	readonly passes: number;
	readonly extending: number;
	readonly breaking: number;
	/** Tokens that the previous request began with too. */
	readonly shared: number;
	readonly extra: ExtraCall & { readonly calls: number };
	/** The modeled time of all requests and extra calls. */
	readonly seconds: number;
	/** By price list, in the order of the lists. */
	readonly costs: readonly number[];
}

const nothing: Omit<Tally, "costs"> = {
	...{
		requests: 0,
		tokens: 0,
		maxContext: 0,
		overBudget: 0,
		passes: 0,
		extending: 0,
		breaking: 0,
		shared: 0,
	},
	extra: { calls: 0, input: 0, cached: 0, output: 0 },
	seconds: 0,
};

/** The sum of tallies over so many price lists. */
export function sumTallies(tallies: readonly Tally[], lists: number): Tally {
	return tallies.reduce<Tally>(addUp, { ...nothing, costs: new Array<number>(lists).fill(0) });
}

/** The tally of one request. */
export function tallyRequest(request: RequestMeasure, lists: readonly PriceList[]): Tally {
	const { tokens, sharedTokens, outputTokens, extraCalls } = request;
	// Whatever the previous request began with too comes from the cache.
	const own: ExtraCall = { input: tokens, cached: sharedTokens, output: outputTokens };
	return {
		requests: 1,
		tokens,
		maxContext: tokens,
		overBudget: Number(request.isOverBudget),
		passes: Number(request.hasPass),
		extending: Number(request.follows === "extends"),
		breaking: Number(request.follows === "breaks"),
		shared: sharedTokens,
		extra: extraCalls.map((call) => ({ calls: 1, ...call })).reduce(addUp, nothing.extra),
		seconds: [own, ...extraCalls].reduce((sum, call) => sum + requestSeconds(call), 0),
		costs: lists.map((prices) =>
			extraCalls.reduce((sum, call) => sum + priceCall(call, prices), priceRequest(request, prices)),
		),
	};
}

/** A cost in uncached input tokens, by kind of provider. */
export interface Cost {
	readonly anthropic: number;
	readonly openai: number;
}

export interface Traffic {
	readonly requests: number;
	/** Input tokens of all requests; those of extra calls are not among them. */
	readonly tokensProcessed: number;
	readonly meanContext: number;
	readonly maxContext: number;
	readonly overBudget: number;
	readonly passes: number;
	readonly prefixBreaks: number;
	/** The share of the requests that follow another which byte-extends it; null without any. */
	readonly extendShare: number | null;
	/** The share of the input tokens that the previous request began with too; null without any. */
	readonly cachedShare: number | null;
	/** The time that a provider would take, extra calls included: `requestSeconds`. */
	readonly modeledSeconds: number;
	/** Extra calls included. */
	readonly cost: Cost;
	/** By model, extra calls included. */
	readonly dollars: Readonly<Record<string, number>>;
	/** Model calls of the policy's own, summed up; in tokens. */
	readonly extraCalls: ExtraCall & { readonly calls: number };
}

/** The figures of a tally whose costs are those of the two kinds of provider, then those of `models`. */
export function describeTraffic(tally: Tally, models: readonly string[]): Traffic {
	const { requests, tokens, costs, extending, breaking } = tally;
	const [anthropic = 0, openai = 0, ...dollars] = costs;
	return {
		requests,
		tokensProcessed: tokens,
		meanContext: share(tokens, requests) ?? 0,
		maxContext: tally.maxContext,
		overBudget: tally.overBudget,
		passes: tally.passes,
		prefixBreaks: breaking,
		extendShare: share(extending, extending + breaking),
		cachedShare: share(tally.shared, tokens),
		modeledSeconds: tally.seconds,
		cost: { anthropic, openai },
		dollars: Object.fromEntries(models.map((model, i) => [model, dollars[i] ?? 0])),
		extraCalls: tally.extra,
	};
}

function share(part: number, whole: number): number | null {
	return whole === 0 ? null : part / whole;
}
