import { describe, expect, test } from "vitest";
import { findPrices } from "./model-prices.ts";

const NOW = Date.parse("2026-11-22");
const zero = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const opus = { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 };

describe("the prices of a model", () => {
	test("are those of pi's table where it has them", () => {
		const { prices, problem } = findPrices({ id: "somebody/else", cost: opus }, NOW);
		expect(prices).toMatchObject({ input: 4e-6, read: 0.2e-6, tiers: [] });
		expect(problem).toBeUndefined();
	});

	test("are the list's where the table has zero, and unknown where the list has none either", () => {
		expect(findPrices({ id: "claude-opus-5-5", cost: zero }, NOW).prices?.input).toBeCloseTo(4e-6, 12);
		expect(findPrices({ id: "nobody-knows", cost: zero }, NOW)).toEqual({
			prices: undefined,
			problem: undefined,
		});
	});

	test("are the list's where the table's are impossible, with one line that names the model", () => {
		const { prices, problem } = findPrices({ id: "claude-opus-5-5", cost: { ...opus, output: -1 } }, NOW);
		expect(prices?.output).toBeCloseTo(20e-6, 12);
		expect(problem).toMatch(/^model claude-opus-5-5: prices are .*output -1/);
	});

	test("are the list's where the table is known to be old", () => {
		const old = { input: 0.14, output: 0.28, cacheRead: 0.0028, cacheWrite: 0 };
		expect(findPrices({ id: "deepseek-v4-flash", cost: old }, NOW).prices?.input).toBeCloseTo(0.3e-6, 12);
		const argon = { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 0 };
		const december = Date.parse("2026-12-01");
		expect(findPrices({ id: "gemini-4-argon", cost: argon }, NOW).prices?.input).toBeCloseTo(2e-6, 12);
		expect(findPrices({ id: "gemini-4-argon", cost: argon }, december).prices?.input).toBeCloseTo(4e-6, 12);
	});

	test("have the list's price steps where pi knows none, at the table's own level", () => {
		const gateway = { input: 10, output: 60, cacheRead: 1, cacheWrite: 0 };
		const { prices } = findPrices({ id: "gpt-5.5", cost: gateway }, NOW);
		expect(prices?.tiers).toHaveLength(1);
		expect(prices?.tiers[0]).toMatchObject({ above: 272_000 });
		expect(prices?.tiers[0]?.input).toBeCloseTo(20e-6, 12);
	});

	test("are those of long writes where the host asks for the longer retention", () => {
		const { prices } = findPrices({ id: "claude-opus-5-5", cost: opus }, NOW, "long");
		expect(prices?.write).toBeCloseTo(8e-6, 12);
	});
});
