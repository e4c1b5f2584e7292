/** Sums over requests. Tallies of different sessions add up, so that no request has to be kept. */
import type { ExtraCall } from "../policies/replay-policy.ts";
import { requestSeconds } from "./latency.ts";
import { type PriceList, priceCall, priceRequest, type RequestSize } from "./prices.ts";

export interface RequestMeasure extends RequestSize {
	/** The first of its session has nothing to extend. */
	readonly follows: "nothing" | "extends" | "breaks";
	/** True if a pass that evicted something was made for it. */
	readonly hasPass: boolean;
	readonly isOverBudget: boolean;
	/** Model calls that the policy made before it. */
	readonly extraCalls: readonly ExtraCall[];
}

export interface Tally {
	readonly requests: number;
	/** Sum of all requests' input tokens. */
	readonly tokens: number;
	readonly maxContext: number;
	readonly overBudget: number;
	readonly passes: number;
	readonly extending: number;
	readonly breaking: number;
	/** Sum of the tokens that the previous request began with too. */
	readonly shared: number;
	readonly extra: ExtraCall & { readonly calls: number };
	/** The modeled time of all requests and extra calls. */
	readonly seconds: number;
	/** By price list, in the order of the lists. */
	readonly costs: readonly number[];
}

/** A tally of nothing. */
export function emptyTally(lists: number): Tally {
	return {
		...{
			requests: 0,
			tokens: 0,
			maxContext: 0,
			overBudget: 0,
			passes: 0,
			extending: 0,
			breaking: 0,
			shared: 0,
			seconds: 0,
		},
		extra: { calls: 0, input: 0, cached: 0, output: 0 },
		costs: new Array<number>(lists).fill(0),
	};
}

/** The tally of one request. */
export function tallyRequest(request: RequestMeasure, lists: readonly PriceList[]): Tally {
	const { extraCalls } = request;
	return {
		requests: 1,
		tokens: request.tokens,
		maxContext: request.tokens,
		overBudget: Number(request.isOverBudget),
		passes: Number(request.hasPass),
		extending: Number(request.follows === "extends"),
		breaking: Number(request.follows === "breaks"),
		shared: request.sharedTokens,
		extra: sumCalls(extraCalls),
		seconds: [callOf(request), ...extraCalls].reduce((sum, call) => sum + requestSeconds(call), 0),
		costs: lists.map((prices) =>
			extraCalls.reduce((sum, call) => sum + priceCall(call, prices), priceRequest(request, prices)),
		),
	};
}

/** Whatever the previous request began with too comes from the cache. */
function callOf({ tokens, sharedTokens, outputTokens }: RequestMeasure): ExtraCall {
	return { input: tokens, cached: sharedTokens, output: outputTokens };
}

function sumCalls(calls: readonly ExtraCall[]): Tally["extra"] {
	const total = (of: (call: ExtraCall) => number) => calls.reduce((sum, call) => sum + of(call), 0);
	return {
		calls: calls.length,
		input: total(({ input }) => input),
		cached: total(({ cached }) => cached),
		output: total(({ output }) => output),
	};
}

export function addTallies(a: Tally, b: Tally): Tally {
	return {
		requests: a.requests + b.requests,
		tokens: a.tokens + b.tokens,
		maxContext: Math.max(a.maxContext, b.maxContext),
		overBudget: a.overBudget + b.overBudget,
		passes: a.passes + b.passes,
		extending: a.extending + b.extending,
		breaking: a.breaking + b.breaking,
		shared: a.shared + b.shared,
		seconds: a.seconds + b.seconds,
		extra: {
			calls: a.extra.calls + b.extra.calls,
			input: a.extra.input + b.extra.input,
			cached: a.extra.cached + b.extra.cached,
			output: a.extra.output + b.extra.output,
		},
		costs: a.costs.map((cost, i) => cost + (b.costs[i] ?? 0)),
	};
}
