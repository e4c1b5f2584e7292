/**
 * Looks: requests whose recorded step used something that the policy had evicted. A live agent would have looked again
 * first, so each is charged as one more request: the same context from the cache, its answer, and the content that
 * the answer asks for.
 */
import { sum } from "#basics";
import type { HostMessage } from "#pi/codec";
import type { MessageSizes, Turn } from "../recording/recording.ts";
import type { Need } from "./needs.ts";
import { type PriceList, priceRequest } from "./prices.ts";

/** Sums over requests; sums of different sessions add up. */
export interface Looks {
	readonly count: number;
	/** Tokens of the content that the looks bring back. */
	readonly tokens: number;
	/** By price list, in the order of the lists. */
	readonly costs: readonly number[];
}

/** No look, over so many price lists. */
export function noLooks(lists: number): Looks {
	return { count: 0, tokens: 0, costs: new Array<number>(lists).fill(0) };
}

/** A recorded answer of average length, in tokens. */
export function meanAnswer(turns: readonly Turn[]): number {
	return turns.length === 0 ? 0 : sum(turns, ({ outputTokens }) => outputTokens) / turns.length;
}

export interface LookRequest {
	/** The needs that the request does not meet; one look brings all of them back. */
	readonly missing: readonly Need[];
	readonly history: readonly HostMessage[];
	readonly sizes: MessageSizes;
	/** Tokens of the request that was sent without them. */
	readonly context: number;
	/** Tokens of the answer that asks for them. */
	readonly answer: number;
}

/** The look that one request calls for; none if nothing is missing. */
export function chargeLook(request: LookRequest, lists: readonly PriceList[]): Looks {
	const { missing, context, answer } = request;
	if (missing.length === 0) return noLooks(lists.length);
	const tokens = contentTokens(request);
	const size = {
		tokens: context + answer + tokens,
		sharedTokens: context,
		endedTokens: context,
		outputTokens: answer,
	};
	return { count: 1, tokens, costs: lists.map((prices) => priceRequest(size, prices)) };
}

/** Tokens of the smallest blocks that show what is missing; a block that shows several needs counts once. */
function contentTokens({ missing, history, sizes }: LookRequest): number {
	const shown = new Map<string, number>();
	for (const { sources } of missing) {
		const blocks = sources.map(({ message, block }) => {
			const whole = history[message];
			const own = whole ? sizes(whole) : [];
			// A tool result is one item, whatever number of blocks it has.
			return { key: `${message}.${block}`, tokens: own[block] ?? sum(own) };
		});
		const [smallest] = blocks.toSorted((a, b) => a.tokens - b.tokens);
		if (smallest) shown.set(smallest.key, smallest.tokens);
	}
	return sum([...shown.values()]);
}
