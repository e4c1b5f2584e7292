import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryModel, arbitraryPrompt, weigh } from "../test-support/weighted-segments.ts";
import { createAutomaticCache, OPENAI_MINIMUM, OPENAI_STEP } from "./automatic.ts";
import { type Segment, totalTokens } from "./segment.ts";

/** The rule itself, recomputed from all earlier requests. */
function sharedTokens(earlier: readonly Segment[], later: readonly Segment[]): number {
	const equal = later.findIndex((segment, index) => segment.digest !== earlier[index]?.digest);
	if (equal < 0) return totalTokens(later);
	const known = earlier[equal]?.bytes ?? "";
	const next = later[equal];
	const same = [...(next?.bytes ?? "")].findIndex((character, index) => character !== known[index]);
	const bytes = next?.bytes.length ?? 1;
	const part = Math.floor(((next?.tokens ?? 0) * (same < 0 ? bytes : same)) / bytes);
	return totalTokens(later.slice(0, equal)) + part;
}

function cachedTokens(earlier: readonly (readonly Segment[])[], later: readonly Segment[]): number {
	const shared = Math.max(0, ...earlier.map((prompt) => sharedTokens(prompt, later)));
	return shared < OPENAI_MINIMUM ? 0 : shared - (shared % OPENAI_STEP);
}

describe("the automatic prefix cache", () => {
	test("reads the longest prefix in common with any earlier request of the model", () => {
		fc.assert(
			fc.property(fc.array(fc.tuple(arbitraryModel, arbitraryPrompt), { maxLength: 12 }), (requests) => {
				const cache = createAutomaticCache();
				for (const [index, [model, prompt]] of requests.entries()) {
					const earlier = requests.slice(0, index).filter(([other]) => other === model);
					const expected = cachedTokens(
						earlier.map(([, segments]) => segments),
						prompt,
					);
					expect(cache.read(model, prompt)).toBe(expected);
					cache.write(model, prompt);
				}
			}),
		);
	});

	test("reads nothing below the minimum and whole steps above it", () => {
		const cache = createAutomaticCache();
		const small = weigh("small", OPENAI_MINIMUM - 1);
		const more = weigh("more", OPENAI_STEP);
		cache.write("m", [small]);
		expect(cache.read("m", [small, more])).toBe(0);
		cache.write("m", [small, more]);
		expect(cache.read("m", [small, more])).toBe(OPENAI_MINIMUM);
	});
});
