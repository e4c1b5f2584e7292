/** How much leaves, set against how much is done. */
import type { Graph } from "../graph/graph.ts";
import type { View } from "../log/view.ts";

export interface EvictionRate {
	/** Share of everything that the session ever held which is gone now. */
	readonly share: number;
	/** Tokens and items that left, for each request of the session. */
	readonly tokensPerRequest: number;
	readonly itemsPerRequest: number;
}

/**
 * The items that the log evicted, for each answer of the model. A call that left with its result counts as one item.
 */
export function measureEvictionRate(
	{ messages, tokens }: Pick<Graph, "messages" | "tokens">,
	{ removed, removedTokens }: Pick<View, "removed" | "removedTokens">,
): EvictionRate {
	const requests = Math.max(1, messages.filter(({ author }) => author === "model").length);
	return {
		share: tokens > 0 ? removedTokens / tokens : 0,
		tokensPerRequest: removedTokens / requests,
		itemsPerRequest: removed.size / requests,
	};
}
