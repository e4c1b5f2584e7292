import { expect, test } from "vitest";
import { seededRandom } from "./random.ts";

const draw = (seed: number) => {
	const random = seededRandom(seed);
	return Array.from({ length: 3 }, random);
};

test("it draws what Mulberry32 draws, and each seed its own", () => {
	expect(draw(1)).toEqual([0.6270739405881613, 0.002735721180215478, 0.5274470399599522]);
	expect(draw(2)).not.toEqual(draw(3));
});
