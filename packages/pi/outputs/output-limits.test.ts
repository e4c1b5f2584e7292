import { expect, test } from "vitest";
import { readValue } from "../settings/schema.ts";
import { formatOutputLimits, outputLimit, roomIn, shareOf } from "./output-limits.ts";
import examples from "./output-limits-examples.json" with { type: "json" };

const read = (raw: unknown) => readValue("outputLimits", raw);

test.each(examples.read)("$raw is read as $limits, and as it is written: $text", ({ raw, limits, text }) => {
	expect([read(raw), read(text), formatOutputLimits(read(raw))]).toEqual([limits, limits, text]);
});

test("a tool has its own limit, else that of all", () => {
	const limits = read("8k,bash=4k");
	const found = ["Bash", "grep", "constructor"].map((tool) => outputLimit(limits, tool));
	expect(found).toEqual([4_000, 8_000, 8_000]);
});

test.each(examples.refused)("%j is refused with what is allowed", (raw) => {
	expect(() => read(raw)).toThrow(/outputLimits is .*: use off, tokens such as 8000/);
});

test("the room is nine tenths of what is free, and stays while it fits and is no less than eight", () => {
	expect([undefined, 900, 1_000, 799, 1_001].map((inForce) => roomIn(1_000, inForce))).toEqual([
		900, 900, 1_000, 900, 900,
	]);
});

test("sizes that fit have no limit; else the large ones share what the small ones leave", () => {
	expect(shareOf(100, [40, 60])).toBe(Infinity);
	expect(shareOf(100, [90, 10, 80])).toBe(45);
	expect(shareOf(100, [101])).toBe(100);
});
