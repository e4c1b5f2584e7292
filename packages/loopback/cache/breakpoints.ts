import { type Segment, totalTokens } from "./segment.ts";
import { createPrefixNode, findPath, growPath, type PrefixNode } from "./tree.ts";

/** Limits as in docs.claude.com/en/docs/build-with-claude/prompt-caching: tokens, and blocks looked at per breakpoint. */
export const ANTHROPIC_MINIMUM = 1024;
export const LOOKBACK_BLOCKS = 20;

/** A `cache_control` marker. */
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
}

export interface BreakpointCache {
	/** What a prompt would read and write now. */
	readonly measure: (model: string, prompt: MarkedPrompt) => CacheUse;
	/** Stores and refreshes the entries of a prompt that was processed. */
	readonly write: (model: string, prompt: MarkedPrompt) => void;
}

export interface MarkedPrompt {
	readonly segments: readonly Segment[];
	readonly breakpoints: readonly Breakpoint[];
}

/** Index of the last segment of the longest live entry that a breakpoint reaches, or -1. */
function findHit(path: readonly PrefixNode[], breakpoints: readonly Breakpoint[], now: number): number {
	let best = -1;
	for (const { position } of breakpoints) {
		const oldest = Math.max(0, position - LOOKBACK_BLOCKS + 1, best + 1);
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
function cacheable({ segments, breakpoints }: MarkedPrompt): readonly Breakpoint[] {
	return breakpoints.filter(({ position }) => prefixTokens(segments, position) >= ANTHROPIC_MINIMUM);
}

function renew(node: PrefixNode | undefined, lifetime: number, now: number): void {
	if (!node) return;
	node.lifetime = lifetime;
	node.expires = now + lifetime;
}

/** The provider-side cache of the Messages API. `now` gives the time in ms. */
export function createBreakpointCache(now: () => number): BreakpointCache {
	const roots = new Map<string, PrefixNode>();
	const rootOf = (model: string): PrefixNode => {
		const root = roots.get(model) ?? createPrefixNode();
		roots.set(model, root);
		return root;
	};
	return {
		measure(model, prompt) {
			const marked = cacheable(prompt);
			const hit = findHit(findPath(rootOf(model), prompt.segments), marked, now());
			const read = prefixTokens(prompt.segments, hit);
			const last = marked.at(-1);
			const end = last ? prefixTokens(prompt.segments, last.position) : 0;
			return { read, written: Math.max(0, end - read) };
		},
		write(model, prompt) {
			const time = now();
			const marked = cacheable(prompt);
			const path = growPath(rootOf(model), prompt.segments);
			const hit = path[findHit(path, marked, time)];
			if (hit) renew(hit, hit.lifetime, time);
			for (const { position, lifetime } of marked) renew(path[position], lifetime, time);
		},
	};
}
