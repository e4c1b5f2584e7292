import fc from "fast-check";
import { expect, test } from "vitest";
import { layOutTable, wrapText } from "./text-table.ts";

const table = [
	["policy", "requests", "tokens"],
	["none", "57", "1.2M"],
	["paper", "1", "0.9M"],
];

test("a table that fits is one block, figures to the right", () => {
	expect(layOutTable(table, 80)).toEqual([
		"policy  requests  tokens",
		"none          57    1.2M",
		"paper          1    0.9M",
	]);
});

test("what does not fit goes on below, with the first column again", () => {
	expect(layOutTable(table, 16)).toEqual([
		...["policy  requests", "none          57", "paper          1"],
		...["", "policy  tokens", "none      1.2M", "paper     0.9M"],
	]);
});

test("every cell is shown in any width, and no line is wider than a first and one other column need", () => {
	const cell = fc.stringMatching(/^[a-z]{1,12}$/);
	const rows = fc.array(fc.tuple(cell, cell, cell, cell), { minLength: 1, maxLength: 4 });
	fc.assert(
		fc.property(rows, fc.integer({ min: 1, max: 60 }), (held, width) => {
			const lines = layOutTable(held, width);
			for (const text of held.flat()) expect(lines.join("\n")).toContain(text);
			for (const line of lines) expect(line.length).toBeLessThanOrEqual(Math.max(width, 12 + 2 + 12));
		}),
	);
});

test("a sentence is broken at spaces, and nothing of it is lost", () => {
	expect(wrapText("one two three", 8)).toEqual(["one two", "three"]);
	expect(wrapText("a-very-long-word then", 4)).toEqual(["a-very-long-word", "then"]);
	fc.assert(
		fc.property(fc.lorem({ maxCount: 30 }), fc.integer({ min: 1, max: 40 }), (text, width) => {
			expect(wrapText(text, width).join(" ")).toBe(text);
		}),
	);
});
