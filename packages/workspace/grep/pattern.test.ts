import { describe, expect, it } from "vitest";
import { createScratch, writeTree } from "../test-support/scratch.ts";
import { grep } from "./grep.ts";

/** Returns true if a file of this one line is found. */
async function matches(pattern: string, line: string | Buffer): Promise<boolean> {
	const cwd = createScratch();
	writeTree(cwd, { line });
	return (await grep({ pattern }, { cwd })).matches > 0;
}

describe("a pattern", () => {
	it.each([
		["interface{}", "x interface{} y"],
		["a{,2}", "a{,2}"],
		["x{y}|\\{z", "x{y}"],
		["[{]a{2}", "{aa"],
		["\\u{41}\\x{42}\\p{Lu}", "ABC"],
		["foo(?<name>bar)?", "foobar"],
		["(?P<n>a)(?:b)", "ab"],
		["[[:digit:]_]{3}", "1_2"],
		["[]x]y", "]y"],
		["[^]x]y", "ay"],
		["a[^[]b", "a]b"],
		["[[]id]", "[id]"],
		["[a&&b]+$", "&"],
		["[a-]", "-"],
		["\\x41\\u0042", "AB"],
		["\\/\\-\\#\\ ", "/-# "],
		["a$", "a\r\n"],
		["^b", "a\nb"],
		["(?i)ABC", "abc"],
		[".", "😀"],
		["\\w", "é"],
		["\\bab\\b", "x ab y"],
	])("%s matches %j", async (pattern, line) => {
		expect(await matches(pattern, line)).toBe(true);
	});

	it.each([
		["a.b", "a\nb"],
		["a[^x]b", "a\nb"],
		["a\\sb", "a\nb"],
		["^b", "a\u2028b"],
		["a$", "a\u2028b"],
		["[[]", "a]"],
		["[a&&b]", "c"],
	])("%s does not match %j", async (pattern, line) => {
		expect(await matches(pattern, line)).toBe(false);
	});

	it("does not match half of a character, nor a byte that is none", async () => {
		expect(await matches("^.$", Buffer.from([0xe9]))).toBe(false);
	});

	it.each([
		["(?=a)", "look-around"],
		["(?<!a)b", "look-around"],
		["(a)\\1", "backreferences are not supported"],
		["a\\n", "not allowed"],
		["a\nb", "line break"],
		["*a", "missing expression"],
		["(", "unclosed group"],
		[")", "unopened group"],
		["[a", "unclosed character class"],
		["[z-a]", "invalid character class range"],
		["a{2,1}", "invalid repetition count range"],
		["(\\w{1000}){1000}", "size limit"],
		["a\\", "lone"],
		["x".repeat(2000), "longer than"],
		["\ud800", "not valid Unicode"],
		["", "is empty"],
	])("%j is refused, with the reason, also where there is no file", async (pattern, reason) => {
		await expect(grep({ pattern }, { cwd: createScratch() })).rejects.toThrow(reason);
	});

	it("is searched as it is when it is literal", async () => {
		const cwd = createScratch();
		writeTree(cwd, { f: "(?=a){ [[\n" });
		expect((await grep({ pattern: "(?=a){ [[", literal: true }, { cwd })).matches).toBe(1);
	});
});
