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
		...examples.refused,
		{ pattern: "x".repeat(2000), reason: "longer than" },
		{ pattern: "\ud800", reason: "not valid Unicode" },
	])("$pattern is refused, with the reason, also where there is no file", async ({ pattern, reason }) => {
		await expect(grep({ pattern }, { cwd: createScratch() })).rejects.toThrow(reason);
	});
});
