import { expect, test } from "vitest";
import { MIN_SAVINGS, savedByWarming } from "./cache-warming.ts";

const prices = { read: 0.5 / 1e6, write: 6.25 / 1e6 };
const used = 200_000;
const none = { freed: 0, rewritten: 0 };
const event = { warmCost: used * prices.read, continuationProbability: 0.15, action: "warm" as const };
const saved = (warm = none, cold: { readonly freed: number } = none) =>
	savedByWarming(event, { used, warm, cold, prices, requests: 20 });

test("without a pass, warming saves what pi says: the price of a lost cache, times its chance, less the refresh", () => {
	expect(saved()).toBeCloseTo(0.15 * used * (prices.write - prices.read) - used * prices.read, 9);
	expect(saved()).toBeGreaterThan(MIN_SAVINGS);
});

test("a pass that takes or rewrites most of what is cached leaves nothing to keep warm", () => {
	expect(saved({ freed: 150_000, rewritten: 40_000 }, { freed: 150_000 })).toBeLessThan(0);
});

test("a pass at the end of the context keeps enough cached to be worth a refresh", () => {
	const atEnd = { freed: 10_000, rewritten: 1_000 };
	expect(saved(atEnd, { freed: 10_000 })).toBeGreaterThan(MIN_SAVINGS);
});

test("a cold cache that lets a pass take half of the context is worth more than a warm one", () => {
	expect(saved(none, { freed: 100_000 })).toBeLessThan(MIN_SAVINGS);
});
