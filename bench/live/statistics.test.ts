import { expect, test } from "vitest";
import { countLower, drawInterval, meanOf, signTest } from "./statistics.ts";

test.each([
	[0, 0, 1],
	[5, 5, 1],
	[0, 5, 0.0625],
	[5, 0, 0.0625],
	[1, 9, 0.021484375],
	[3, 12, 0.035156],
])("a split of %i and %i has the exact chance %f", (one, other, chance) => {
	expect(signTest(one, other)).toBeCloseTo(chance, 6);
});

test("ties count for neither side", () => {
	expect(countLower([1, 2, 3, 4], [1, 3, 2, 5])).toEqual([2, 1]);
});

test("an interval of a share is near that of the normal distribution, and the same each time", () => {
	const values = Array.from({ length: 100 }, (_, index) => Number(index < 50));
	const draw = () => drawInterval(100, (drawn) => meanOf(drawn, values));
	const [low, high] = draw();
	expect(low).toBeCloseTo(0.402, 1);
	expect(high).toBeCloseTo(0.598, 1);
	expect(draw()).toEqual([low, high]);
});
