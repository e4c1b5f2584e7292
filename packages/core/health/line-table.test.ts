import fc from "fast-check";
import { expect, test } from "vitest";
import { createLineTable } from "./line-table.ts";

/** Few enough to come again, and far enough apart to meet in the table. */
const line = fc.oneof(fc.nat(20), fc.nat(0x3fffffff));

test("a line has what was set last, and one that was never set has nothing", () => {
	fc.assert(
		fc.property(
			fc.array(fc.tuple(line, fc.integer({ min: 1, max: 99 })), { maxLength: 3_000 }),
			line,
			(sets, other) => {
				const table = createLineTable();
				const expected = new Map(sets);
				for (const [key, value] of sets) table.set(key, value);
				for (const [key, value] of expected) expect(table.get(key)).toBe(value);
				expect(table.get(other)).toBe(expected.get(other) ?? 0);
			},
		),
	);
});

test("it grows with what it holds", () => {
	const table = createLineTable();
	const lines = Array.from({ length: 5_000 }, (_, index) => index * 7_919);
	for (const [index, key] of lines.entries()) table.set(key, index + 1);
	expect(lines.map((key) => table.get(key))).toEqual(lines.map((_, index) => index + 1));
});
