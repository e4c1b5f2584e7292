import { expect, test } from "vitest";
import { countOf } from "./figures.ts";

test("a noun has its plural for every amount but one", () => {
	expect([0, 1, 2].map((amount) => countOf(amount, "episode"))).toEqual([
		"0 episodes",
		"1 episode",
		"2 episodes",
	]);
	expect([1, 3].map((amount) => countOf(amount, "pass", "passes"))).toEqual(["1 pass", "3 passes"]);
});
