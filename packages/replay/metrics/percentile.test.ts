import fc from "fast-check";
import { expect, test } from "vitest";
import { percentile } from "./percentile.ts";

test("nearest rank", () => {
	expect(percentile([4, 1, 3, 2], 0.5)).toBe(2);
	expect(percentile([4, 1, 3, 2], 0.99)).toBe(4);
	expect(percentile([], 0.5)).toBeUndefined();
});

test("is the smallest value that the share does not exceed", () => {
	const values = fc.array(fc.integer(), { minLength: 1 });
	fc.assert(
		fc.property(values, fc.double({ min: 0.01, max: 1, noNaN: true }), (list, share) => {
			const covers = (limit: number) => list.filter((value) => value <= limit).length >= share * list.length;
			expect(percentile(list, share)).toBe(Math.min(...list.filter(covers)));
		}),
	);
});
