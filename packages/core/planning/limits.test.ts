import { expect, test } from "vitest";
import { cwl } from "../policies/cwl.ts";
import { paper } from "../policies/paper.ts";
import { fold, model, person, text } from "../test-support/message-builders.ts";
import { flatPrices } from "../test-support/prices.ts";
import { planInput } from "../test-support/simulation.ts";
import { ceilingUnder, limitsOf, lowWaterOf } from "./limits.ts";

const input = planInput(fold(person(400), model(text(1))), { budget: 1_000 });

test("the ceiling is the budget; an automatic one stays 3 % below the next price step that what cannot leave has not crossed", () => {
	const prices = { ...flatPrices(), tiers: [{ ...flatPrices({ input: 2 }), above: 900 }] };
	expect(limitsOf({ ...input, prices })).toMatchObject({ ceiling: 1_000, isBelowTier: false });
	expect(limitsOf({ ...input, prices, isAuto: true })).toMatchObject({ ceiling: 873, isBelowTier: true });
	expect([800, 880, 901].map((floor) => ceilingUnder(1_000, prices, floor))).toEqual([873, 880, 1_000]);
});

test("low water is a share by the dial of the room for what can leave, or a share of the ceiling in numbers that is not below what cannot leave", () => {
	const shares = [undefined, "economy", "balanced", "quality", 0.75, 0.35] as const;
	const low = shares.map(
		(share) => limitsOf({ ...input, ...(share !== undefined && { lowWater: share }) }).lowWater,
	);
	expect(low).toEqual([580, 550, 580, 670, 750, 400]);
});

test("a pass that a person asks for stops at low water; under Algorithm 1, which has none, at .65 of the budget", () => {
	expect([cwl, paper].map((policy) => lowWaterOf(policy, input))).toEqual([580, 650]);
	expect(lowWaterOf(paper, { ...input, lowWater: 0.5 })).toBe(500);
});
