/** Figures about size, caching and cost, added up over requests of any number of sessions. */
import { percentile } from "./percentile.ts";
import { priceLists, priceRequest, type RequestSize } from "./prices.ts";

export interface RequestMeasure extends RequestSize {
	/** The first of its session has nothing to extend. */
	readonly follows: "nothing" | "extends" | "breaks";
	/** Whether a pass that evicted something was made for it. */
	readonly hasPass: boolean;
	/** How long the policy planned, in ms. */
	readonly planMs: number;
	/** From the first request of a session whose whole history exceeds the budget, the same for every policy. */
	readonly isPressed: boolean;
}

/** A cost in uncached input tokens, by kind of provider. */
export interface Cost {
	readonly anthropic: number;
	readonly openai: number;
}

export interface Traffic {
	readonly requests: number;
	/** Sum of all requests' input tokens. */
	readonly tokensProcessed: number;
	readonly meanContext: number;
	readonly maxContext: number;
	readonly overBudget: number;
	readonly passes: number;
	readonly prefixBreaks: number;
	/** Of the requests that follow another, the share that byte-extends it; null without any. */
	readonly extendShare: number | null;
	/** Of the input tokens, the share that the previous request began with too; null without any. */
	readonly cachedShare: number | null;
	readonly cost: Cost;
	readonly passMs: { readonly p50: number | null; readonly p99: number | null };
}

/** Add up requests against a budget in tokens. */
export function summariseTraffic(requests: readonly RequestMeasure[], budget: number): Traffic {
	const total = (of: (request: RequestMeasure) => number) =>
		requests.reduce((sum, request) => sum + of(request), 0);
	const number = (is: (request: RequestMeasure) => boolean) => requests.filter(is).length;
	const tokensProcessed = total((request) => request.tokens);
	const extending = number(({ follows }) => follows === "extends");
	const prefixBreaks = number(({ follows }) => follows === "breaks");
	const passMs = requests.filter(({ hasPass }) => hasPass).map(({ planMs }) => planMs);
	return {
		requests: requests.length,
		tokensProcessed,
		meanContext: share(tokensProcessed, requests.length) ?? 0,
		maxContext: requests.reduce((max, { tokens }) => Math.max(max, tokens), 0),
		overBudget: number(({ tokens }) => tokens > budget),
		passes: passMs.length,
		prefixBreaks,
		extendShare: share(extending, extending + prefixBreaks),
		cachedShare: share(
			total(({ sharedTokens }) => sharedTokens),
			tokensProcessed,
		),
		cost: {
			anthropic: total((request) => priceRequest(request, priceLists.anthropic)),
			openai: total((request) => priceRequest(request, priceLists.openai)),
		},
		passMs: { p50: percentile(passMs, 0.5) ?? null, p99: percentile(passMs, 0.99) ?? null },
	};
}

function share(part: number, whole: number): number | null {
	return whole === 0 ? null : part / whole;
}
