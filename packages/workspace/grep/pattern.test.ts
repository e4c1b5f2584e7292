import { describe, expect, it } from "vitest";
import { createScratch } from "../test-support/scratch.ts";
import { grep } from "./grep.ts";
import examples from "./pattern-examples.json" with { type: "json" };

/** Returns true if a file of this one line is found. */
async function matches(pattern: string, line: string | Buffer): Promise<boolean> {
	const cwd = createScratch({ line });
	return (await grep({ pattern }, { cwd })).matches > 0;
}

describe("a pattern", () => {
	it.each(examples.matching)("$pattern matches $line", async ({ pattern, line }) => {
		expect(await matches(pattern, line)).toBe(true);
	});

	it.each(examples.other)("$pattern does not match $line", async ({ pattern, line }) => {
		expect(await matches(pattern, line)).toBe(false);
	});

	it.each([
		["(?=a)", "look-around"],
		["(?<!a)b", "look-around"],
		["(a)\\1", "backreferences are not supported"],
		["a\\n", "not allowed"],
		["a\nb", "line break"],
		["*a", "missing expression"],
		["(", "unclosed group"],
		["[a", "unclosed character class"],
		["(\\w{1000}){1000}", "size limit"],
		["a\\", "lone"],
		["x".repeat(2000), "longer than"],
		["\ud800", "not valid Unicode"],
		["", "is empty"],
	])("%j is refused, with the reason, also where there is no file", async (pattern, reason) => {
		await expect(grep({ pattern }, { cwd: createScratch() })).rejects.toThrow(reason);
	});
});
