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

test.each([
	["a text that spells a list", ["a", "b"], ['a,1"b']],
	["a number and its text", 1, "1"],
	["an empty list and an empty object", [], {}],
	["null and its text", null, "null"],
])("%s differ", (_name, one, other) => {
	expect(canonicalText(one)).not.toBe(canonicalText(other));
});
