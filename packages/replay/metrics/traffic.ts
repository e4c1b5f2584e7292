/** Figures about size, caching and cost, as a report gives them. */

import type { ExtraCall } from "../policies/replay-policy.ts";
import { percentile } from "./percentile.ts";
import type { Tally } from "./tally.ts";

/** A cost in uncached input tokens, by kind of provider. */
export interface Cost {
	readonly anthropic: number;
	readonly openai: number;
}

export interface Traffic {
	readonly requests: number;
	/** Sum of all requests' input tokens; extra calls are not among them. */
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

/** Percentiles of planning times in ms; null without any. */
export interface PassTimes {
	readonly p50: number | null;
	readonly p99: number | null;
}

export function describePassTimes(times: readonly number[]): PassTimes {
	return { p50: percentile(times, 0.5) ?? null, p99: percentile(times, 0.99) ?? null };
}

function share(part: number, whole: number): number | null {
	return whole === 0 ? null : part / whole;
}
