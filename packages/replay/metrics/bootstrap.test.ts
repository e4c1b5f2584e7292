import fc from "fast-check";
import { expect, test } from "vitest";
import { bootstrap } from "./bootstrap.ts";

const ratio = ([a = 0, b = 0]: readonly number[]) => a / b;
const amount = fc.integer({ min: 1, max: 1_000 });

test("sessions that agree leave no doubt", () => {
	fc.assert(
		fc.property(fc.array(amount, { minLength: 2, maxLength: 30 }), (sizes) => {
			const interval = bootstrap({ rows: sizes.map((size) => [size, 2 * size]), statistic: ratio });
			expect(interval?.low).toBeCloseTo(0.5);
			expect(interval?.high).toBeCloseTo(0.5);
		}),
		{ numRuns: 20 },
	);
});

test("the interval lies within what single sessions say, and is the same each time", () => {
	fc.assert(
		fc.property(fc.array(fc.tuple(amount, amount), { minLength: 2, maxLength: 30 }), (rows) => {
			const interval = bootstrap({ rows, statistic: ratio });
			const single = rows.map(ratio);
			expect(interval?.low).toBeGreaterThanOrEqual(Math.min(...single) - 1e-9);
			expect(interval?.high).toBeLessThanOrEqual(Math.max(...single) + 1e-9);
			expect(bootstrap({ rows, statistic: ratio })).toEqual(interval);
		}),
		{ numRuns: 20 },
	);
});

test("one session more that disagrees widens it", () => {
	const rows = Array.from({ length: 20 }, (_, i) => [i % 2 === 0 ? 9 : 11, 20]);
	const width = (all: readonly (readonly number[])[]) => {
		const interval = bootstrap({ rows: all, statistic: ratio });
		return interval ? interval.high - interval.low : 0;
	};
	expect(width(rows)).toBeGreaterThan(0);
	expect(width([...rows, [200, 20]])).toBeGreaterThan(width(rows));
});

test("one session says nothing of others, nor do sessions without the quantity", () => {
	expect(bootstrap({ rows: [[1, 2]], statistic: ratio })).toBeUndefined();
	expect(
		bootstrap({
			rows: [
				[0, 0],
				[0, 0],
			],
			statistic: ratio,
		}),
	).toBeUndefined();
});
