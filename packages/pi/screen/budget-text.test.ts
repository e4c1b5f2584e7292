import { expect, test } from "vitest";
import { explainAutoBudget, explainFixedBudget } from "./budget-text.ts";

const auto = { highWater: 120_000, lowWater: 48_000, ceiling: 160_000, isBelowTier: false, rewriteReads: 25 };

test.each([
	[
		auto,
		"auto: at most 160k, passes from 120k on, evict down to 48k: on opus a rewrite costs as much as 25 cached reads",
	],
	[
		{ ...auto, highWater: 160_000, rewriteReads: 12.5 },
		"auto: at most 160k, evict down to 48k: on opus a rewrite costs as much as 12.5 cached reads",
	],
	[
		{ ...auto, highWater: 73_000, ceiling: 97_000, isBelowTier: true },
		"auto: at most 97k, below the next price step of opus, passes from 73k on, evict down to 48k: on opus a rewrite costs as much as 25 cached reads",
	],
	[
		{ ...auto, rewriteReads: undefined },
		"auto: at most 160k, passes from 120k on, evict down to 48k: the prices of opus are unknown",
	],
])("an automatic budget is explained in one sentence", (budget, sentence) => {
	expect(explainAutoBudget(budget, "opus")).toBe(sentence);
});

test("a fixed budget is what was set", () => {
	expect(explainFixedBudget(80_000, 60_000)).toBe("fixed: 80k, evict down to 60k");
});
