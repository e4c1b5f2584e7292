import { expect, test } from "vitest";
import { pairedInterval, powerOfRatio, powerOfShares, ratioInterval } from "./statistics.ts";

/** Pairs of which both, only the first, only the second and neither are solved. */
function pairs(both: number, first: number, second: number, neither: number) {
	const times = (count: number, one: boolean, other: boolean) =>
		Array.from({ length: count }, () => [one, other] as const);
	const all = [
		...times(both, true, true),
		...times(first, true, false),
		...times(second, false, true),
		...times(neither, false, false),
	];
	return [all.map(([one]) => one), all.map(([, other]) => other)] as const;
}

test.each([
	// Newcombe 1998, table III, method 10.
	[[36, 12, 2, 0], 0.0569, 0.3404],
	[[20, 0, 0, 0], -0.1611, 0.1611],
])("the interval of %j pairs is %d to %d", (counts, low, high) => {
	const [both = 0, first = 0, second = 0, neither = 0] = counts;
	const [l, h] = pairedInterval(...pairs(both, first, second, neither));
	expect(l).toBeCloseTo(low, 3);
	expect(h).toBeCloseTo(high, 3);
});

test("pairs that all agree have an interval with a width, which shrinks with their number", () => {
	const width = (count: number) => {
		const [low, high] = pairedInterval(...pairs(count, 0, 0, 0));
		return high - low;
	};
	expect(width(12)).toBeGreaterThan(0.2);
	expect(width(200)).toBeLessThan(0.05);
});

test("a cost ratio has an interval from whole blocks around it, none where all blocks are alike", () => {
	const alike = Array.from({ length: 12 }, () => 1);
	expect(
		ratioInterval(
			alike,
			alike.map(() => 2),
		),
	).toEqual([0.5, 0.5]);
	const rising = alike.map((_, index) => 1 + index);
	const [low, high] = ratioInterval(
		rising,
		alike.map(() => 10),
	);
	expect(low).toBeLessThan(0.65);
	expect(high).toBeGreaterThan(0.65);
});

test("a single block of tasks shows no cost ratio, however clear it looks", () => {
	expect(ratioInterval([1, 1, 1, 1], [2, 2, 2, 2])).toEqual([0, Number.POSITIVE_INFINITY]);
	expect(ratioInterval([1, 1, 1, 1, 1], [2, 2, 2, 2, 2])).toEqual([0.5, 0.5]);
});

test("power grows with tasks and blocks, and is that of the formula", () => {
	// 190 tasks, 7 points, 15 % disagreement: 70 %, two-sided.
	expect(powerOfShares(190, 0.07, 0.15)).toBeCloseTo(0.7, 1);
	expect(powerOfShares(89, 0.07, 0.15)).toBeCloseTo(0.4, 1);
	expect(powerOfRatio(4, 0.7, 0.25)).toBeGreaterThan(0.75);
	expect(powerOfRatio(3, 0.7, 0.25)).toBeLessThan(powerOfRatio(4, 0.7, 0.25));
});
