import fc from "fast-check";
import { expect, test } from "vitest";
import { widthOf } from "./columns.ts";
import { oneLine } from "./one-line.ts";

const wordings = ["pinned, and it stays until you say so", "pinned, and stays", "pinned"] as const;

test("the longest wording that fits is told, and without a limit the longest", () => {
	expect(oneLine(wordings)).toBe(wordings[0]);
	expect(oneLine(wordings, wordings[0].length)).toBe(wordings[0]);
	expect(oneLine(wordings, wordings[0].length - 1)).toBe(wordings[1]);
	expect(oneLine(wordings, wordings[2].length)).toBe(wordings[2]);
});

test("whatever the names in it, it is never wider than its place", () => {
	fc.assert(
		fc.property(fc.string({ unit: "binary", maxLength: 40 }), fc.nat(80), (name, width) => {
			expect(
				widthOf(oneLine([`${name} is pinned until you say so`, `${name} is pinned`], width)),
			).toBeLessThanOrEqual(width);
		}),
	);
});
