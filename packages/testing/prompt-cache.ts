/**
 * The prompt caches of all providers, each model with its own. Anthropic reads the longest entry that a breakpoint of the
 * request reaches and bills what is written; OpenAI reads the longest prefix in common with any earlier request.
 */

import { sum } from "#basics";

/** A stretch of the prompt that is cached or not as one: a tool, a system block, a message or one of its blocks. */
export interface Segment {
	/** The content as it was sent, without cache markers. Segments of equal bytes are the same. */
	readonly bytes: string;
	/** Tokens of the visible content, framing included. */
	readonly tokens: number;
}

export function totalTokens(segments: readonly Segment[]): number {
	return sum(segments, ({ tokens }) => tokens);
}

/** Tokens; shorter prompts are not cached. Some of Anthropic's models have another minimum (both prompt-caching guides). */
export const MINIMUM = 1024;
/** OpenAI caches longer prompts in steps of 128 tokens. */
export const OPENAI_STEP = 128;

/** Blocks that Anthropic looks at from each breakpoint, its own included (platform.claude.com, prompt caching). */
export const LOOKBACK_BLOCKS = 20;

/** Entries that live longer than this, in ms, are billed as one-hour writes. */
const SHORT_LIFETIME = 5 * 60_000;

/** A `cache_control` marker. */
export interface Breakpoint {
	/** Index of the segment that carries it. */
	readonly position: number;
	/** How long the entry lives without a hit, in ms. */
	readonly lifetime: number;
}

export interface Prompt {
	readonly model: string;
	/** The whole prompt in the order in which the provider caches it: tools, system, messages. */
	readonly segments: readonly Segment[];
	/** Where the caller marks the prompt; left out by APIs whose cache needs no marks. */
	readonly breakpoints?: readonly Breakpoint[];
}

/** A prompt prefix that was sent: the path of segments from the root. Equal prefixes are the same node. */
interface PrefixNode {
	/** By the bytes of the segment that each adds. */
	readonly children: Map<string, PrefixNode>;
	/** Clock time in ms until which an entry of a breakpoint stands here; 0 when there is none. */
	expires: number;
	/** How long, in ms, a hit prolongs that entry. */
	lifetime: number;
}

const createNode = (): PrefixNode => ({ children: new Map(), expires: 0, lifetime: 0 });

/** The nodes of a prompt's prefixes, shortest first; `grow` makes those that were unknown, which else end the path. */
function pathOf(root: PrefixNode, segments: readonly Segment[], grow: boolean): readonly PrefixNode[] {
	const path: PrefixNode[] = [];
	let node = root;
	for (const segment of segments) {
		const next = node.children.get(segment.bytes) ?? (grow ? createNode() : undefined);
		if (!next) break;
		node.children.set(segment.bytes, next);
		path.push(next);
		node = next;
	}
	return path;
}

const prefixTokens = (segments: readonly Segment[], lastIndex: number): number =>
	totalTokens(segments.slice(0, lastIndex + 1));

/** Equal leading characters of two texts. */
function commonLength(a: string, b: string): number {
	const end = Math.min(a.length, b.length);
	let at = 0;
	while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at++;
	return at;
}

/** The longest prefix in common with an earlier request; of the first unknown segment, in proportion to equal bytes. */
function sharedTokens(root: PrefixNode, segments: readonly Segment[]): number {
	const path = pathOf(root, segments, false);
	const next = segments[path.length];
	const known = [...(path.at(-1) ?? root).children.keys()];
	const longest = next ? Math.max(0, ...known.map((bytes) => commonLength(bytes, next.bytes))) : 0;
	const part = next ? Math.floor((next.tokens * longest) / next.bytes.length) : 0;
	const shared = prefixTokens(segments, path.length - 1) + part;
	return shared < MINIMUM ? 0 : Math.floor(shared / OPENAI_STEP) * OPENAI_STEP;
}

/** Index of the last segment of the longest live entry that a breakpoint reaches, or -1. */
function findHit(path: readonly PrefixNode[], marked: readonly Breakpoint[], now: number): number {
	let best = -1;
	for (const { position } of marked) {
		const oldest = Math.max(0, position - LOOKBACK_BLOCKS + 1, best + 1);
		for (let at = position; at >= oldest; at--) {
			if ((path[at]?.expires ?? 0) > now) best = at;
			if (best === at) break;
		}
	}
	return best;
}

/** Creates empty caches. `now` gives the time in ms. */
export function createPromptCache(now: () => number) {
	const models = new Map<string, { readonly root: PrefixNode; previous: readonly Segment[] }>();
	const stateOf = (api: string, { model }: Prompt) => {
		const key = `${api} ${model}`;
		const state = models.get(key) ?? { root: createNode(), previous: [] };
		models.set(key, state);
		return state;
	};
	return {
		/**
		 * The tokens that an answered prompt reads and writes, the rest of it is plain input; its entries are stored and
		 * refreshed. `written1h`: the part of `written` that a one-hour breakpoint asked for.
		 */
		process(api: string, prompt: Prompt) {
			const { segments, breakpoints } = prompt;
			const { root } = stateOf(api, prompt);
			const time = now();
			const shared = breakpoints ? 0 : sharedTokens(root, segments);
			const path = pathOf(root, segments, true);
			if (!breakpoints) return { read: shared, written: 0, written1h: 0 };
			const marked = breakpoints.filter(({ position }) => prefixTokens(segments, position) >= MINIMUM);
			const renew = (node: PrefixNode | undefined, lifetime: number) =>
				node && Object.assign(node, { lifetime, expires: time + lifetime });
			const hit = findHit(path, marked, time);
			renew(path[hit], path[hit]?.lifetime ?? 0);
			for (const { position, lifetime } of marked) renew(path[position], lifetime);
			const read = prefixTokens(segments, hit);
			const upTo = (last: Breakpoint | undefined): number =>
				last ? Math.max(0, prefixTokens(segments, last.position) - read) : 0;
			const lastLong = marked.findLast(({ lifetime }) => lifetime > SHORT_LIFETIME);
			return { read, written: upTo(marked.at(-1)), written1h: upTo(lastLong) };
		},
		/** Returns true if a prompt starts with the model's previous prompt, and takes its place. */
		extendsPrevious(api: string, prompt: Prompt): boolean {
			const state = stateOf(api, prompt);
			const { previous } = state;
			state.previous = prompt.segments;
			return previous.every((segment, index) => segment.bytes === prompt.segments[index]?.bytes);
		},
	};
}
