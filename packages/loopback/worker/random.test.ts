import { expect, test } from "vitest";
import { seededRandom } from "./random.ts";

const draw = (seed: number) => {
	const random = seededRandom(seed);
	return Array.from({ length: 1_000 }, random);
};

test("it draws what Mulberry32 draws, and each seed its own", () => {
	expect(draw(1).slice(0, 3)).toEqual([0.6270739405881613, 0.002735721180215478, 0.5274470399599522]);
	expect(draw(2)).not.toEqual(draw(3));
});

test("draws lie from 0 up to 1 and spread evenly", () => {
	const numbers = draw(1);
	expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
	expect(Math.max(...numbers)).toBeLessThan(1);
	const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
	expect(mean).toBeCloseTo(0.5, 1);
});
