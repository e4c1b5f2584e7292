import { createHash } from "node:crypto";
import { countTokens } from "../tokens.ts";

/** A stretch of the prompt that is cached or not as one: a tool, a system block, a message or one of its blocks. */
export interface Segment {
	/** Equal digests mean equal bytes. */
	readonly digest: string;
	/** The content as it was sent, without cache markers. */
	readonly bytes: string;
	/** Tokens of the visible content, framing included. */
	readonly tokens: number;
}

interface SegmentSource {
	readonly bytes: string;
	/** The visible texts in order; only asked for when the bytes were never seen before. */
	readonly visible: () => readonly string[];
	/** Tokens that the message envelope costs. */
	readonly framing: number;
}

export type Segmenter = (source: SegmentSource) => Segment;

/** Turns content into segments and counts each distinct one once in the life of the segmenter. */
export function createSegmenter(): Segmenter {
	const known = new Map<string, Segment>();
	return ({ bytes, visible, framing }) => {
		const digest = createHash("sha256").update(`${framing}\n${bytes}`).digest("base64");
		const seen = known.get(digest);
		if (seen) return seen;
		const tokens = visible().reduce((total, text) => total + countTokens(text), framing);
		const segment = { digest, bytes, tokens };
		known.set(digest, segment);
		return segment;
	};
}

export function totalTokens(segments: readonly Segment[]): number {
	return segments.reduce((total, segment) => total + segment.tokens, 0);
}

/** Returns true if a request starts with everything that an earlier one consisted of. */
export function extendsSegments(earlier: readonly Segment[], later: readonly Segment[]): boolean {
	return earlier.every((segment, index) => segment.digest === later[index]?.digest);
}
