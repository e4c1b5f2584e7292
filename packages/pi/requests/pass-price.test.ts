import { expect, test } from "vitest";
import { pricePass } from "./pass-price.ts";

const effect = { freed: 10_000, rewritten: 40_000 };

test("what is sent anew costs the difference between writing and reading, what was freed saves its reading", () => {
	const price = pricePass(effect, { input: 3, cacheRead: 0.3, cacheWrite: 3.75 });
	expect(price?.cost).toBeCloseTo(0.138);
	expect(price?.saving).toBeCloseTo(0.003);
	expect(price?.paidBackAfter).toBe(46);
});

test("where writing the cache has no price of its own it costs as input does", () => {
	expect(pricePass(effect, { input: 1, cacheRead: 0.1, cacheWrite: 0 })?.cost).toBeCloseTo(0.036);
});

test("a provider without a cache sends everything anew anyway", () => {
	expect(pricePass(effect, { input: 2, cacheRead: 0, cacheWrite: 0 })).toMatchObject({
		cost: 0,
		paidBackAfter: 0,
	});
});

test("a model without prices has none here either", () => {
	expect(pricePass(effect, { input: 0, cacheRead: 0, cacheWrite: 0 })).toBeUndefined();
});
