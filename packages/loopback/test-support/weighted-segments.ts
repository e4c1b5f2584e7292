import fc from "fast-check";
import { createSegmenter, type Segment } from "../cache/segment.ts";

const segment = createSegmenter();

/** A segment of a given size in tokens. */
export function weigh(bytes: string, tokens: number): Segment {
	return segment({ bytes, visible: () => [], framing: tokens });
}

const arbitrarySegment: fc.Arbitrary<Segment> = fc
	.tuple(fc.constantFrom("aaaa", "aabb", "bbbb"), fc.constantFrom(3, 500, 1100))
	.map(([bytes, tokens]) => weigh(bytes, tokens));

const TRUNK = Array.from({ length: 30 }, (_, place) => weigh(`trunk ${place}`, 100 + place));

/** Prompts that branch off one long conversation, as requests after an eviction or a retry do. */
export const arbitraryPrompt: fc.Arbitrary<readonly Segment[]> = fc
	.tuple(fc.nat(TRUNK.length), fc.array(arbitrarySegment, { minLength: 1, maxLength: 5 }))
	.map(([length, tail]) => [...TRUNK.slice(0, length), ...tail]);

export const arbitraryModel = fc.constantFrom("one", "two");
