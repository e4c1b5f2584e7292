/** Tells when the provider's prompt cache is known to be cold, so that a prefix break costs nothing. */
import { fieldsOf } from "#basics";
import type { BranchEntry } from "../custom-entries.ts";

interface Model {
	readonly provider: string;
	readonly model: string;
}

/** The answer that the last request got: its model wrote the cache, and its time, in ms, is when the cache was last used. */
type LastAnswer = Model & { readonly timestamp: number };

/** The model of the next request, and how long the host says that its cache lives; see `readCacheLifetimes`. */
type NextModel = Model & { readonly lifetimes?: CacheLifetimes };

/** pi's `PI_CACHE_RETENTION`. */
export type CacheRetention = "short" | "long";

/** The unit is ms. */
type CacheLifetimes = Readonly<Partial<Record<CacheRetention, number>>>;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/**
 * How long a provider keeps a prompt that is not used, in ms. Anthropic: 5 minutes, or an hour with long
 * retention (prompt-caching guide); the others promise 5 to 10 minutes, or a day (OpenAI's prompt-caching guide).
 */
function lifetimeOf({ provider, lifetimes }: NextModel, retention: CacheRetention): number {
	const reported = lifetimes?.[retention];
	if (reported !== undefined) return reported;
	const isAnthropic = provider.includes("anthropic");
	if (retention === "long") return (isAnthropic ? 60 : 24 * 60) * MINUTE;
	return (isAnthropic ? 5 : 10) * MINUTE;
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
	if (last.provider !== next.provider || last.model !== next.model) return -Infinity;
	return Math.max(last.timestamp, lastWarming) + lifetimeOf(next, retention);
}

export function readRetention(environment: Readonly<Record<string, string | undefined>>): CacheRetention {
	return environment.PI_CACHE_RETENTION === "long" ? "long" : "short";
}

/** Reads `promptCache` of a model of pi 0.86 and later, in seconds; what is no positive number is left out. */
export function readCacheLifetimes(model: object): CacheLifetimes {
	const cache = fieldsOf(fieldsOf(model).promptCache);
	const lifetimes = (["short", "long"] as const).flatMap((retention) => {
		const seconds = Number.isFinite(cache[retention]) ? Number(cache[retention]) : 0;
		return seconds > 0 ? [[retention, seconds * SECOND]] : [];
	});
	return Object.fromEntries(lifetimes);
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
