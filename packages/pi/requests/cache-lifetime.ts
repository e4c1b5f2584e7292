/** Tells when the provider's prompt cache is known to be cold, so that a prefix break costs nothing. */

/** The answer that the last request got: its model wrote the cache, and its time is when the cache was last used. */
export interface LastAnswer {
	readonly provider: string;
	readonly model: string;
	/** ms since the epoch. */
	readonly timestamp: number;
}

/** pi's `PI_CACHE_RETENTION`. */
export type CacheRetention = "short" | "long";

const MINUTE = 60_000;

/**
 * How long a provider keeps a prompt that nobody asks for, in ms. Anthropic: 5 minutes, or an hour with long
 * retention (prompt-caching guide); the others promise 5 to 10 minutes, or a day (OpenAI's prompt-caching guide).
 */
function lifetimeOf(provider: string, retention: CacheRetention): number {
	const isAnthropic = provider.includes("anthropic");
	if (retention === "long") return (isAnthropic ? 60 : 24 * 60) * MINUTE;
	return (isAnthropic ? 5 : 10) * MINUTE;
}

/**
 * Cold after a switch of the model, and when the last answer is older than the cache's lifetime. A clock that went
 * backwards tells nothing, and then the cache counts as warm: a pass that is not due costs more than one that waits.
 */
export function isCacheCold(
	last: LastAnswer | undefined,
	next: Pick<LastAnswer, "provider" | "model">,
	now: number,
	retention: CacheRetention,
): boolean {
	if (!last) return false;
	if (last.provider !== next.provider || last.model !== next.model) return true;
	return now - last.timestamp > lifetimeOf(next.provider, retention);
}

export function readRetention(environment: Readonly<Record<string, string | undefined>>): CacheRetention {
	return environment.PI_CACHE_RETENTION === "long" ? "long" : "short";
}
