import { describe, expect, it } from "vitest";
import { readLiteral, readRegex } from "./regex-dialect.ts";

/** Whether a line matches, by the JavaScript that the pattern is written as. */
function matches(pattern: string, line: string, ignoreCase = false): boolean {
	const read = readRegex(pattern, ignoreCase);
	return new RegExp(read.javascript, read.ignoreCase ? "iu" : "u").test(line);
}

describe("a pattern", () => {
	it.each([
		["interface{}", "x interface{} y"],
		["a{,2}", "a{,2}"],
		["foo(?<name>bar)?", "foobar"],
		["(?P<n>a)(?:b)", "ab"],
		["[[:digit:]_]{3}", "1_2"],
		["[]x]y", "]y"],
		["[a-]", "-"],
		["\\x41\\u0042\\u{43}", "ABC"],
		["\\/\\-\\#\\ ", "/-# "],
		["a$", "a\r"],
		["^b", "a\nb"],
		["(?i)ABC", "abc"],
		[".", "😀"],
	])("%s matches %j", (pattern, line) => {
		expect(matches(pattern, line)).toBe(true);
	});

	it.each([
		["\\w", "é"],
		["\\d", "٣"],
		[".", "\udcff"],
		["[^a]", "\udcff"],
		["a.b", "a\nb"],
		["a[^x]b", "a\nb"],
		["a\\sb", "a\nb"],
		["^b", "a\u2028b"],
		["a$", "a\u2028b"],
	])("%s does not match %j", (pattern, line) => {
		expect(matches(pattern, line)).toBe(false);
	});

	it.each([
		["(?=a)", "look-around"],
		["(?!a)", "look-around"],
		["(?<=a)", "look-around"],
		["(?<!a)b", "look-around"],
		["(a)\\1", "backreference"],
		["(?<n>a)\\k<n>", "backreference"],
		["\\p{L}", "not supported"],
		["\\<a", "not supported"],
		["a\\n", "line break"],
		["a\nb", "line break"],
		["(?s)a", "not supported"],
		["a**", "two quantifiers"],
		["a++", "two quantifiers"],
		["*a", "nothing to repeat"],
		["^*", "repeats an anchor"],
		["(a|^)+", "repeats an anchor"],
		["a^", "not in front"],
		["a$b", "goes on after"],
		["(", "without its"],
		[")", "without its"],
		["[a", "without its"],
		["[z-a]", "backwards"],
		["[\\d-z]", undefined],
		["[a-\\d]", "ends in a class"],
		["[[:nope:]]", "no class"],
		["a{2,1}", "backwards"],
		["a{5000}", "more than 1000"],
		["(a{100}){100}", "more than 1000"],
		["\\", "lone"],
		["(".repeat(60), "nests more"],
		["(?i)", "is empty"],
		["x".repeat(2000), "longer than"],
		["\ud800", "not valid Unicode"],
	])("%j is refused, with the reason", (pattern, reason) => {
		if (reason === undefined) return void readRegex(pattern, false);
		expect(() => readRegex(pattern, false)).toThrow(reason);
	});
});

describe("the needle", () => {
	it.each([
		["export function \\w+Git", "export function "],
		["ab?cd", "cd"],
		["(abc)|d", ""],
		["a|b", ""],
		["[a]b\\.c", "b.c"],
		["ab+", "a"],
	])("of %s is %j", (pattern, needle) => {
		expect(readRegex(pattern, false).needle).toBe(needle);
	});

	it("is absent when case is folded, and all of a literal", () => {
		expect(readRegex("abc", true).needle).toBe("");
		expect(readLiteral("a.*c", false).needle).toBe("a.*c");
	});
});
