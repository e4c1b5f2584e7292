import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { flatPrices } from "../test-support/prices.ts";
import { type BudgetSituation, chooseBudget } from "./auto-budget.ts";

/** Input 1, output 5, a write 1.25; a read costs what is given. */
const at = (read: number) => flatPrices({ read, write: 1.25 });

const situation: BudgetSituation = {
	...{ prices: at(0.05), cap: 160_000, floor: 10_000, context: 130_000, thinking: 0, growth: 800 },
	...{ requests: 300, beginsTurn: false, isCold: false },
};

describe("an automatic budget", () => {
	test("begins passes early where they pay for themselves within the requests to come", () => {
		const { highWater, ceiling } = chooseBudget(situation);
		expect(ceiling).toBe(160_000);
		expect(highWater).toBeLessThan(130_000);
	});

	test("waits for the ceiling in a session that may end before a pass pays for itself", () => {
		expect(chooseBudget({ ...situation, requests: 10 }).highWater).toBe(160_000);
		expect(chooseBudget({ ...situation, requests: 45, prices: at(0.025) }).highWater).toBe(160_000);
	});

	test("waits where a pass forfeits more thinking than it saves", () => {
		const requests = 36;
		expect(chooseBudget({ ...situation, requests }).highWater).toBeLessThan(130_000);
		expect(chooseBudget({ ...situation, requests, thinking: 80_000 }).highWater).toBe(160_000);
	});

	test("evicts deeper where a rewrite is dearer, and where the session grows faster", () => {
		const low = (change: Partial<BudgetSituation>) => chooseBudget({ ...situation, ...change }).lowWater;
		expect(low({ prices: at(0.025) })).toBeLessThan(low({ prices: at(0.1) }));
		expect(low({ prices: at(0.1), growth: 3_000 })).toBeLessThan(low({ prices: at(0.1) }));
	});

	test("begins a little earlier with a turn, and earlier still while the cache is cold", () => {
		const high = (change: Partial<BudgetSituation>) => chooseBudget({ ...situation, ...change }).highWater;
		expect(high({ beginsTurn: true })).toBeLessThan(high({}));
		expect(high({ isCold: true })).toBeLessThan(high({ beginsTurn: true }));
	});

	test("stays below a price step, unless what cannot leave has crossed it", () => {
		const step = { above: 100_000, ...flatPrices({ input: 5, output: 25, read: 0.25, write: 6.25 }) };
		const prices = { ...at(0.05), tiers: [step] };
		expect(chooseBudget({ ...situation, prices })).toMatchObject({ ceiling: 97_000, isBelowTier: true });
		const crossed = chooseBudget({ ...situation, prices, floor: 101_000 });
		expect(crossed).toMatchObject({ ceiling: 160_000, isBelowTier: false });
	});

	test("without prices begins early, and says that it knows none", () => {
		const { highWater, rewriteReads } = chooseBudget({ ...situation, prices: undefined, requests: 1 });
		expect(highWater).toBeLessThan(130_000);
		expect(rewriteReads).toBeUndefined();
	});

	test("keeps low water at most high water and both at most the ceiling, whatever the situation", () => {
		const size = fc.integer({ min: 1, max: 2_000_000 });
		const price = fc.double({ min: 1e-9, max: 1, noNaN: true });
		fc.assert(
			fc.property(
				fc.record({ cap: size, floor: size, context: size, thinking: size, growth: size, requests: size }),
				fc.record({ read: price, write: price, output: price }),
				fc.boolean(),
				fc.boolean(),
				fc.option(size, { nil: undefined }),
				(sizes, given, beginsTurn, isCold, above) => {
					const flat = flatPrices(given);
					const tiers = above === undefined ? [] : [{ above, ...flat }];
					const prices = { ...flat, tiers };
					const chosen = chooseBudget({ ...sizes, prices, beginsTurn, isCold });
					expect(chosen.lowWater).toBeLessThanOrEqual(chosen.highWater);
					expect(chosen.highWater).toBeLessThanOrEqual(chosen.ceiling);
					expect(chosen.ceiling).toBeLessThanOrEqual(sizes.cap);
					expect(chosen.lowWater).toBeGreaterThanOrEqual(0);
				},
			),
		);
	});
});
