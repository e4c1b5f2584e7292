import { expect, test } from "vitest";
import { readValue } from "../settings/schema.ts";
import { formatOutputLimits, outputLimit, roomIn, shareOf } from "./output-limits.ts";

const read = (raw: unknown) => readValue("outputLimits", raw);

test("a limit for all tools, by tool, or none", () => {
	expect(read("off")).toEqual({ "*": 0 });
	expect(read("4k")).toEqual({ "*": 4_000 });
	expect(read(5_000)).toEqual({ "*": 5_000 });
	expect(read("bash=4k,WebFetch=off")).toEqual({ "*": 0, bash: 4_000, webfetch: 0 });
	expect(read({ bash: 2_000 })).toEqual({ "*": 0, bash: 2_000 });
});

test("what is written is read back", () => {
	for (const text of ["off", "8000", "8000,bash=4000,webfetch=off"])
		expect(formatOutputLimits(read(text))).toBe(text);
});

test("a tool has its own limit, else that of all", () => {
	const limits = read("8k,bash=4k");
	expect([
		outputLimit(limits, "Bash"),
		outputLimit(limits, "grep"),
		outputLimit(limits, "constructor"),
	]).toEqual([4_000, 8_000, 8_000]);
});

test.each(["much", "bash=-1", "bash=1.5", null])("%j is refused with what is allowed", (raw) => {
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
