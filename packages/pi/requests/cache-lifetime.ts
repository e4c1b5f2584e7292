/** Tells when the provider's prompt cache is known to be cold, so that a prefix break costs nothing. */
import { fieldsOf } from "#basics";
import type { BranchEntry } from "../custom-entries.ts";

/** The answer that the last request got: its model wrote the cache, and its time, in ms, is when the cache was last used. */
interface LastAnswer {
	readonly provider: string;
	readonly model: string;
	readonly timestamp: number;
}

/** The model of the next request. pi 0.86 and later say in `promptCache` how many seconds its cache lives. */
interface NextModel {
	readonly provider: string;
	readonly id: string;
	readonly promptCache?: unknown;
}

/** pi's `PI_CACHE_RETENTION`. */
export type CacheRetention = "short" | "long";

const MINUTE = 60_000;

/**
 * How long a provider keeps a prompt that is not used, in minutes. Anthropic: 5 minutes, or an hour with long
 * retention (prompt-caching guide); the others promise 5 to 10 minutes, or a day (OpenAI's prompt-caching guide).
 */
export function lifetimeOf({ provider, promptCache }: NextModel, retention: CacheRetention): number {
	const reported = fieldsOf(promptCache)[retention];
	if (typeof reported === "number" && reported > 0) return reported / 60;
	const isAnthropic = provider.includes("anthropic");
	if (retention === "long") return isAnthropic ? 60 : 24 * 60;
	return isAnthropic ? 5 : 10;
}

/**
 * The time in ms after which the cache is cold: it was last used longer ago than it lives, and a switch of the model ended it at once.
 * `lastWarming` is the time in ms of the host's last request that only kept the cache warm.
 */
export function cacheEnd(
	last: LastAnswer,
	next: NextModel,
	retention: CacheRetention,
	lastWarming = last.timestamp,
): number {
	if (last.provider !== next.provider || last.model !== next.id) return -Infinity;
	return Math.max(last.timestamp, lastWarming) + lifetimeOf(next, retention) * MINUTE;
}

export function readRetention(environment: Readonly<Record<string, string | undefined>>): CacheRetention {
	return environment.PI_CACHE_RETENTION === "long" ? "long" : "short";
}

/**
 * The time in ms of the last request by which pi kept a cache warm. pi 0.86 and later write the usage of each that
 * succeeded to the session file; their event `cache_warming_decision` comes before the request, which may still fail.
 */
export function readLastWarming(branch: readonly BranchEntry[]): number | undefined {
	const entry = branch.findLast(
		(each) => each.type === "usage" && "kind" in each && each.kind === "cache_warm",
	);
	const time = Date.parse(String(entry?.timestamp));
	return Number.isFinite(time) ? time : undefined;
}
