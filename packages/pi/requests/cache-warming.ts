/**
 * Decides if it pays to keep an idle provider cache warm (pi 1.6, `cache_warming_decision`). pi compares a refresh with the price of
 * a lost cache; it does not know that a pass may take most of what is cached, nor that a pass over a cold cache breaks no prefix.
 */
import type { TokenPrices } from "#core/prices";

/** pi's own figures, in dollars. */
export interface WarmingEvent {
	readonly warmCost: number;
	readonly continuationProbability: number;
	readonly action: "warm" | "stop";
}

/** A pass of the next request; zeros for none. In the provider's tokens. */
interface NextEffect {
	readonly freed: number;
	readonly rewritten: number;
}

interface WarmingSources {
	/** The next request without a pass, in the provider's tokens. */
	readonly used: number;
	readonly warm: NextEffect;
	/** The pass if the cache has gone: it has nothing written again. */
	readonly cold: Pick<NextEffect, "freed">;
	readonly prices: Pick<TokenPrices, "read" | "write">;
	/** Requests that are likely still to come. */
	readonly requests: number;
}

/** pi sends no refresh that is expected to save less; in dollars. */
export const MIN_SAVINGS = 0.05;

/** The dollars that one refresh is expected to save. */
export function savedByWarming(
	{ warmCost, continuationProbability }: WarmingEvent,
	{ used, warm, cold, prices, requests }: WarmingSources,
): number {
	const { read, write } = prices;
	const kept = used - warm.freed - warm.rewritten;
	const nextIfWarm = kept * read + warm.rewritten * write;
	const nextIfCold = (used - cold.freed) * write;
	// A cold cache lets a pass take more, which every later request saves.
	const later = Math.max(0, cold.freed - warm.freed) * read * requests;
	return continuationProbability * (nextIfCold - nextIfWarm - later) - warmCost;
}
