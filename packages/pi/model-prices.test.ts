import { expect, test } from "vitest";
import { findPrices } from "./model-prices.ts";

const NOW = Date.parse("2026-11-22");
const zero = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const opus = { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 };

const DIGITS = 12;
const inputOf = (id: string, cost = zero, now = NOW) => findPrices({ id, cost }, now).prices?.input;

test("prices are those of pi's table where it has them, unknown where the list has none either, and of long writes on demand", () => {
	const { prices, problem } = findPrices({ id: "somebody/else", cost: opus }, NOW);
	expect(prices).toMatchObject({ input: 4e-6, read: 0.2e-6, tiers: [] });
	expect(problem).toBeUndefined();
	const unknown = findPrices({ id: "nobody-knows", cost: zero }, NOW);
	expect(unknown).toEqual({ prices: undefined, problem: undefined });
	const long = findPrices({ id: "claude-opus-5-5", cost: opus }, NOW, "long");
	expect(long.prices?.write).toBeCloseTo(8e-6, DIGITS);
});

test("they are the list's where the table has zero, is impossible or is known to be old", () => {
	expect(inputOf("claude-opus-5-5")).toBeCloseTo(4e-6, DIGITS);
	const { prices, problem } = findPrices({ id: "claude-opus-5-5", cost: { ...opus, output: -1 } }, NOW);
	expect(prices?.output).toBeCloseTo(20e-6, DIGITS);
	expect(problem).toMatch(/^model claude-opus-5-5: prices are .*output -1/);
	const old = { input: 0.14, output: 0.28, cacheRead: 0.0028, cacheWrite: 0 };
	expect(inputOf("deepseek-v4-flash", old)).toBeCloseTo(0.3e-6, DIGITS);
	const argon = { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 0 };
	expect(inputOf("gemini-4-argon", argon)).toBeCloseTo(2e-6, DIGITS);
	expect(inputOf("gemini-4-argon", argon, Date.parse("2026-12-01"))).toBeCloseTo(4e-6, DIGITS);
});

test("they have the list's price steps where pi knows none, at the table's own level", () => {
	const gateway = { input: 10, output: 60, cacheRead: 1, cacheWrite: 0 };
	const [tier, ...more] = findPrices({ id: "gpt-5.5", cost: gateway }, NOW).prices?.tiers ?? [];
	expect([tier?.above, more]).toEqual([272_000, []]);
	expect(tier?.input).toBeCloseTo(20e-6, DIGITS);
});
