import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalText } from "./formats.ts";

/** The same content with the keys of every object in reverse order. */
function reverseKeys(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(reverseKeys);
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value)
			.reverse()
			.map(([key, entry]) => [key, reverseKeys(entry)]),
	);
}

test("the order of keys does not matter", () => {
	fc.assert(
		fc.property(fc.jsonValue(), (value) => {
			expect(canonicalText(reverseKeys(value))).toBe(canonicalText(value));
		}),
	);
});

test("different content gives different text", () => {
	fc.assert(
		fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
			const areEqual = JSON.stringify(sortKeys(one)) === JSON.stringify(sortKeys(other));
			expect(canonicalText(one) === canonicalText(other)).toBe(areEqual);
		}),
	);
});

test.each([
	["a text that spells a list", ["a", "b"], ['a,1"b']],
	["a number and its text", 1, "1"],
	["an empty list and an empty object", [], {}],
	["null and its text", null, "null"],
])("%s differ", (_name, one, other) => {
	expect(canonicalText(one)).not.toBe(canonicalText(other));
});

function sortKeys(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sortKeys);
	if (typeof value !== "object" || value === null) return value;
	const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
	return Object.fromEntries(entries.map(([key, entry]) => [key, sortKeys(entry)]));
}
