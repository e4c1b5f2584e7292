import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fold, model, person, text } from "../test-support/message-builders.ts";
import { flatPrices } from "../test-support/prices.ts";
import { bestBatch, decide, growthOf, lowWaterFor } from "./economics.ts";

const anthropic = flatPrices({ write: 1.25 });
const openai = flatPrices();
const halfPrice = flatPrices({ read: 0.5 });

const [BUDGET, FLOOR, GROWTH] = [80_000, 10_000, 1_300];

describe("the best batch", () => {
	test("is the economic order quantity over what a pass leaves: R^2 = 2 g (w - r) (H - R - p) / r", () => {
		for (const prices of [anthropic, openai, halfPrice]) {
			const { read, write } = prices;
			const best = bestBatch(BUDGET, FLOOR, GROWTH, prices);
			const left = BUDGET - best - FLOOR;
			expect(best ** 2 / ((2 * GROWTH * (write - read) * left) / read)).toBeCloseTo(1, 6);
		}
		expect(bestBatch(BUDGET, FLOOR, GROWTH, anthropic)).toBeCloseTo(33_000, -3);
		expect(bestBatch(BUDGET, FLOOR, GROWTH, openai)).toBeCloseTo(30_000, -3);
	});

	test("is small where caching is not cheap, and nothing where there is none", () => {
		expect(bestBatch(BUDGET, FLOOR, GROWTH, halfPrice)).toBeLessThan(0.2 * BUDGET);
		expect(bestBatch(BUDGET, FLOOR, GROWTH, { read: 1, write: 1 })).toBe(0);
		expect(bestBatch(BUDGET, FLOOR, GROWTH, { read: 2, write: 1 })).toBe(0);
		expect(bestBatch(FLOOR - 1, FLOOR, GROWTH, anthropic)).toBe(0);
	});
});

test("growth is what the session holds for each answer, at least a token", () => {
	const answers = [300, 60, 40].map((size) => model(text(size)));
	expect(growthOf(fold(person(200), ...answers))).toBe(200);
	expect(growthOf(fold(person(200)))).toBe(200);
	expect(growthOf(fold(person(0)))).toBe(1);
});

describe("low water", () => {
	test("is the wished one where caching is cheap, and without prices", () => {
		expect(lowWaterFor(52_000, BUDGET, FLOOR, GROWTH, anthropic)).toBe(52_000);
		expect(lowWaterFor(52_000, BUDGET, FLOOR, GROWTH, openai)).toBe(52_000);
		expect(lowWaterFor(52_000, BUDGET, FLOOR, GROWTH, undefined)).toBe(52_000);
		expect(lowWaterFor(52_000, BUDGET, FLOOR, GROWTH, { read: 0, write: 0 })).toBe(52_000);
	});

	test("is higher where a smaller batch costs little more", () => {
		expect(lowWaterFor(52_000, BUDGET, FLOOR, GROWTH, { read: 1, write: 1 })).toBe(68_000);
		const half = lowWaterFor(52_000, BUDGET, FLOOR, GROWTH, halfPrice);
		expect(half).toBeGreaterThan(60_000);
		expect(half).toBeLessThanOrEqual(68_000);
	});

	test("lies between the wished one and the budget, whatever the prices", () => {
		const price = fc.double({ min: 0, max: 1_000, noNaN: true });
		const size = fc.integer({ min: 1, max: 1_000_000 });
		fc.assert(
			fc.property(size, size, size, price, price, (budget, floor, growth, read, write) => {
				const low = lowWaterFor(0.65 * budget, budget, floor, growth, { read, write });
				expect(low).toBeGreaterThanOrEqual(0.65 * budget);
				expect(low).toBeLessThanOrEqual(budget);
			}),
		);
	});
});

describe("a decision", () => {
	const effect = { freed: 28_000, rewritten: 40_000 };

	test("tells when a pass over budget has paid for its prefix break", () => {
		expect(
			decide(
				effect,
				{ isCold: false, before: 80_001, budget: 80_000, room: 28_000, growth: 1_300 },
				anthropic,
			),
		).toEqual({
			reason: "over budget",
			...effect,
			growth: 1_300,
			requestsToNext: 21,
			// 40,000 x 1.15 over 28,000 x .1
			paidBackAfter: 17,
		});
	});

	test("is made over the budget, not at it", () => {
		const situation = { isCold: false, budget: 80_000, room: 28_000, growth: 1_300 };
		const reasons = [80_000, 80_001].map(
			(before) => decide(effect, { ...situation, before }, anthropic).reason,
		);
		expect(reasons).toEqual(["pays for itself", "over budget"]);
	});

	test("breaks nothing when the cache is cold", () => {
		const decision = decide(
			effect,
			{ isCold: true, before: 80_001, budget: 80_000, room: 28_000, growth: 1_300 },
			anthropic,
		);
		expect(decision).toMatchObject({ reason: "cold cache", paidBackAfter: 0 });
	});

	test("leaves out when it has paid for itself where reading costs nothing, or nothing was freed", () => {
		const situation = { isCold: false, before: 80_001, budget: 80_000, room: 28_000, growth: 1_300 };
		expect(decide(effect, situation, flatPrices({ read: 0 }))).not.toHaveProperty("paidBackAfter");
		expect(decide({ freed: 0, rewritten: 9 }, situation, anthropic)).not.toHaveProperty("paidBackAfter");
		expect(decide({ freed: 1, rewritten: 0 }, situation, anthropic).paidBackAfter).toBe(0);
		expect(decide(effect, situation, flatPrices({ read: 2 })).paidBackAfter).toBe(0);
		expect(decide(effect, { ...situation, room: -5 }, anthropic).requestsToNext).toBe(0);
	});

	test("leaves out what prices would tell when there are none", () => {
		const decision = decide(
			effect,
			{ isCold: false, before: 80_001, budget: 80_000, room: 28_000, growth: 1_300 },
			undefined,
		);
		expect(decision).not.toHaveProperty("paidBackAfter");
	});
});
