import { type Segment, totalTokens } from "./segment.ts";
import { createRoots, findPath, growPath, type PrefixNode } from "./tree.ts";

/** Blocks that Anthropic looks at from each breakpoint (platform.claude.com, prompt caching). */
export const LOOKBACK_BLOCKS = 20;

/** Entries that live longer than this, in ms, are billed as one-hour writes. */
const SHORT_LIFETIME = 5 * 60_000;

/** A `cache_control` marker, or a place that OpenAI marks by itself. */
export interface Breakpoint {
	/** Index of the segment that carries it. */
	readonly position: number;
	/** How long the entry lives without a hit, in ms. */
	readonly lifetime: number;
}

/** Tokens of a prompt by what the provider does with them; the rest of the prompt is plain input. */
export interface CacheUse {
	readonly read: number;
	readonly written: number;
	/** The part of `written` that a one-hour breakpoint asked for. */
	readonly written1h: number;
}

export interface BreakpointCache {
	/** The tokens that a prompt would read and write now. */
	readonly measure: (model: string, prompt: MarkedPrompt) => CacheUse;
	/** Stores and refreshes the entries of a prompt that was processed. */
	readonly write: (model: string, prompt: MarkedPrompt) => void;
}

export interface MarkedPrompt {
	readonly segments: readonly Segment[];
	readonly breakpoints: readonly Breakpoint[];
	/** In tokens; shorter prefixes are not cached. */
	readonly minimum: number;
	/** Segments that are searched for an older entry from each breakpoint, its own included. */
	readonly lookback: number;
}

/** Index of the last segment of the longest live entry that a breakpoint reaches, or -1. */
function findHit(
	path: readonly PrefixNode[],
	breakpoints: readonly Breakpoint[],
	lookback: number,
	now: number,
): number {
	let best = -1;
	for (const { position } of breakpoints) {
		const oldest = Math.max(0, position - lookback + 1, best + 1);
		for (let at = position; at >= oldest; at--) {
			if ((path[at]?.expires ?? 0) > now) best = at;
			if (best === at) break;
		}
	}
	return best;
}

function prefixTokens(segments: readonly Segment[], lastIndex: number): number {
	return totalTokens(segments.slice(0, lastIndex + 1));
}

/** Breakpoints whose prefix is long enough to be cached at all; shorter ones are ignored without an error. */
function cacheable({ segments, breakpoints, minimum }: MarkedPrompt): readonly Breakpoint[] {
	return breakpoints.filter(({ position }) => prefixTokens(segments, position) >= minimum);
}

/** Tokens behind what was read, up to and with the last of some breakpoints. */
function writtenTokens(segments: readonly Segment[], read: number, last: Breakpoint | undefined): number {
	return last ? Math.max(0, prefixTokens(segments, last.position) - read) : 0;
}

function renew(node: PrefixNode | undefined, lifetime: number, now: number): void {
	if (!node) return;
	node.lifetime = lifetime;
	node.expires = now + lifetime;
}

/** The provider-side cache of the Messages API, and of OpenAI models that bill writes. `now` gives the time in ms. */
export function createBreakpointCache(now: () => number): BreakpointCache {
	const rootOf = createRoots();
	return {
		measure(model, prompt) {
			const marked = cacheable(prompt);
			const path = findPath(rootOf(model), prompt.segments);
			const read = prefixTokens(prompt.segments, findHit(path, marked, prompt.lookback, now()));
			const lastLong = marked.findLast(({ lifetime }) => lifetime > SHORT_LIFETIME);
			return {
				read,
				written: writtenTokens(prompt.segments, read, marked.at(-1)),
				written1h: writtenTokens(prompt.segments, read, lastLong),
			};
		},
		write(model, prompt) {
			const time = now();
			const marked = cacheable(prompt);
			const path = growPath(rootOf(model), prompt.segments);
			const hit = path[findHit(path, marked, prompt.lookback, time)];
			if (hit) renew(hit, hit.lifetime, time);
			for (const { position, lifetime } of marked) renew(path[position], lifetime, time);
		},
	};
}
