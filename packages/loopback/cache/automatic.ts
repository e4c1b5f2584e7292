import { type Segment, totalTokens } from "./segment.ts";
import { createRoots, findPath, growPath, type PrefixNode } from "./tree.ts";

/** OpenAI caches prompts of at least 1,024 tokens, in steps of 128 (platform.openai.com/docs/guides/prompt-caching). */
export const OPENAI_MINIMUM = 1024;
export const OPENAI_STEP = 128;

export interface AutomaticCache {
	/** Tokens of the prompt that an earlier request of the same model began with. */
	readonly read: (model: string, segments: readonly Segment[]) => number;
	/** Remembers a prompt that was processed. */
	readonly write: (model: string, segments: readonly Segment[]) => void;
}

/** Equal leading characters of two texts. */
function commonLength(a: string, b: string): number {
	const end = Math.min(a.length, b.length);
	let at = 0;
	while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at++;
	return at;
}

/** Tokens that the first unknown segment shares with the known ones in its place, in proportion to equal bytes. */
function partialTokens(known: Iterable<PrefixNode>, segment: Segment | undefined): number {
	if (!segment) return 0;
	let longest = 0;
	for (const { segment: other } of known) {
		if (other) longest = Math.max(longest, commonLength(other.bytes, segment.bytes));
	}
	return Math.floor((segment.tokens * longest) / segment.bytes.length);
}

/** The provider-side cache of both OpenAI APIs: the longest prefix in common with any earlier request. */
export function createAutomaticCache(): AutomaticCache {
	const rootOf = createRoots();
	return {
		read(model, segments) {
			const root = rootOf(model);
			const path = findPath(root, segments);
			const whole = totalTokens(segments.slice(0, path.length));
			const last = path.at(-1) ?? root;
			const shared = whole + partialTokens(last.children.values(), segments[path.length]);
			return shared < OPENAI_MINIMUM ? 0 : Math.floor(shared / OPENAI_STEP) * OPENAI_STEP;
		},
		write: (model, segments) => void growPath(rootOf(model), segments),
	};
}
