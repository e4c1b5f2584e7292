/**
 * The price of a miss: one more request for each output that a reply needed and no longer had. Recorded steps never
 * change, so that this is a model of what an agent would do: it asks once and has the content from then on.
 */
import type { HostMessage } from "#pi";
import type { MessageSizes } from "../recording/recording.ts";
import type { CheckedNeed } from "./grounding.ts";
import { type PriceList, priceCall } from "./prices.ts";

export interface Repair {
	/** Requests that fetch content back: each distinct output once a session. */
	readonly requests: number;
	/** Input and output of these requests, and what they fetched, in tokens. */
	readonly tokens: number;
	/** By price list, in the order of the lists. */
	readonly costs: readonly number[];
}

/** A call that asks for content, in tokens. */
const CALL_TOKENS = 60;
/** A page of recall, in tokens; without recall, the whole output is read again. */
const PAGE_TOKENS = 4_000;

/** A repair of nothing. */
export function noRepair(lists: number): Repair {
	return { requests: 0, tokens: 0, costs: new Array<number>(lists).fill(0) };
}

export function addRepairs(a: Repair, b: Repair): Repair {
	return {
		requests: a.requests + b.requests,
		tokens: a.tokens + b.tokens,
		costs: a.costs.map((cost, index) => cost + (b.costs[index] ?? 0)),
	};
}

/**
 * Measures the requests of one session in turn: what fetches back the content that the reply to each needs and that is
 * gone. `input` is the size of the request in tokens, which the provider has in its cache when the next one comes.
 */
export function createRepairMeter(sizes: MessageSizes, lists: readonly PriceList[]) {
	const fetched = new Set<HostMessage>();
	return (needs: readonly CheckedNeed[], history: readonly HostMessage[], input: number): Repair => {
		let repair = noRepair(lists.length);
		for (const { need, isKept, isRecallable } of needs) {
			const source = need.sources.at(-1);
			const message = source && history[source.message];
			if (isKept || !message || fetched.has(message)) continue;
			fetched.add(message);
			const output = sizes(message)[source.block] ?? 0;
			const back = isRecallable ? Math.min(output, PAGE_TOKENS) : output;
			const costs = lists.map(
				(prices) =>
					priceCall({ input, cached: input, output: CALL_TOKENS }, prices) +
					priceCall({ input: CALL_TOKENS + back, cached: 0, output: 0 }, prices),
			);
			repair = addRepairs(repair, { requests: 1, tokens: input + CALL_TOKENS + back, costs });
		}
		return repair;
	};
}
