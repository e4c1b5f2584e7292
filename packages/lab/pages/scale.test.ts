import fc from "fast-check";
import { expect, test } from "vitest";
import { extentOf, linearScale, logScale } from "./scale.ts";

const value = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const positive = fc.double({ min: 1e-3, max: 1e6, noNaN: true });

test("a linear scale keeps order and ends, and its ticks lie within and evenly", () => {
	fc.assert(
		fc.property(value, value, (a, b) => {
			fc.pre(Math.abs(a - b) > 1e-3);
			const [low, high] = [Math.min(a, b), Math.max(a, b)];
			const { at, ticks } = linearScale([low, high], [0, 100]);
			expect(at(low)).toBeCloseTo(0);
			expect(at(high)).toBeCloseTo(100);
			expect(ticks.length).toBeGreaterThan(0);
			expect(ticks.length).toBeLessThanOrEqual(7);
			const places = ticks.map(at);
			expect(places).toEqual(places.toSorted((x, y) => x - y));
			expect(Math.min(...places)).toBeGreaterThan(-1e-3);
			expect(Math.max(...places)).toBeLessThan(100.001);
		}),
	);
});

test("a logarithmic scale places factors evenly", () => {
	const { at, ticks } = logScale([1, 1_000], [0, 300]);
	expect([at(1), at(10), at(100), at(1_000)].map(Math.round)).toEqual([0, 100, 200, 300]);
	expect(ticks).toEqual([1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]);
	fc.assert(
		fc.property(positive, positive, (a, b) => {
			const [low, high] = [Math.min(a, b), Math.max(a, b)];
			fc.pre(high / low > 1.5);
			for (const tick of logScale([low, high], [0, 1]).ticks) {
				expect(tick).toBeGreaterThanOrEqual(low);
				expect(tick).toBeLessThanOrEqual(high);
			}
		}),
	);
});

test("one value stands in the middle", () => {
	expect(linearScale([5, 5], [0, 10]).at(5)).toBe(5);
	expect(extentOf([0, 100])).toEqual([-6, 106]);
});
