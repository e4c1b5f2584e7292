import { describe, expect, test } from "vitest";
import examples from "./price-examples.json" with { type: "json" };
import { findListPrice, listPrices, readPrices } from "./price-list.ts";
import { type ModelPrices, type RequestTokens, requestCost } from "./prices.ts";

const NOTHING: RequestTokens = { fresh: 0, cached: 0, written: 0, longWritten: 0, output: 0 };
const TODAY = "2026-11-22";

function pricesOf(model: string): ModelPrices {
	const listed = findListPrice(model, TODAY);
	const read = listed && readPrices(listed);
	if (read?.type !== "known") throw new Error(`no price of ${model}`);
	expect(read.problem).toBeUndefined();
	return read.prices;
}

describe("the price of a request", () => {
	test.each(examples)("of $name", ({ model, tokens, dollars }) => {
		expect(requestCost(pricesOf(model), { ...NOTHING, ...tokens })).toBeCloseTo(dollars, 9);
	});
});

/** The prices of output that a maker set for a generation of models, as multiples of input. */
function multiplesOf(model: string): readonly number[] {
	if (/^(claude|gpt-6)/.test(model)) return [5];
	if (model.startsWith("gpt-5.6")) return [5, 6];
	return /^gpt-5\.[45]/.test(model) ? [6, 6.25] : [8];
}

describe("a list price", () => {
	test.each([
		["claude-opus-5-5", "claude-opus-5-5"],
		["anthropic/claude-opus-5.5", "claude-opus-5-5"],
		["claude-sonnet-4-5-20250929", "claude-sonnet-4-5"],
		["us.anthropic.claude-opus-4-6-20260205-v1:0", "claude-opus-4-6"],
		["openai/gpt-6.2-sol", "gpt-6.2-sol"],
	])("is found for %s", (id, model) => {
		expect(findListPrice(id, TODAY)?.model).toBe(model);
	});

	test.each(["claude-opus-9", "", "toString"])("is missing for %j", (id) => {
		expect(findListPrice(id, TODAY)).toBeUndefined();
	});

	test("holds from its first day on", () => {
		expect(findListPrice("gemini-4-argon", "2026-11-30")?.input).toBe(2);
		expect(findListPrice("gemini-4-argon", "2026-12-01")?.input).toBe(4);
	});

	test.each(listPrices.map(({ model }) => [model]))(
		"of %s has prices above zero, reads below input, writes above it, and rising steps",
		(model) => {
			const prices = pricesOf(model);
			for (const { input, output, read, write, longWrite } of [prices, ...prices.tiers]) {
				expect(read).toBeGreaterThan(0);
				expect(read).toBeLessThan(input);
				expect(write).toBeGreaterThanOrEqual(input);
				expect(longWrite).toBeGreaterThanOrEqual(write * 0.999);
				expect(output).toBeGreaterThan(input);
			}
			const steps = prices.tiers.map(({ above }) => above);
			expect(steps).toEqual([...steps].sort((a, b) => a - b));
		},
	);

	test("of DeepSeek, and one that begins on a later day, replaces what the host's own table says of the model", () => {
		const later = listPrices.filter(({ from, model }) => from !== undefined || model.startsWith("deepseek-"));
		expect(later.length).toBeGreaterThan(2);
		for (const { model, replaces } of later) expect(replaces, model).toBe(true);
	});

	test("of GPT costs twice as much above 272,000 tokens: input, reads and writes", () => {
		const stepped = listPrices.filter(({ model, tiers }) => model.startsWith("gpt-") && tiers);
		expect(stepped.length).toBeGreaterThan(0);
		for (const { model, tiers = [], ...price } of stepped) {
			const { input, cacheRead, cacheWrite, cacheWrite1h = 0 } = price;
			expect(tiers, model).toMatchObject([
				{ inputTokensAbove: 272_000, input: 2 * input, cacheRead: 2 * cacheRead, cacheWrite: 2 * cacheWrite },
			]);
			expect(tiers[0]?.cacheWrite1h, model).toBe(2 * cacheWrite1h);
		}
	});

	test("of Claude and GPT reads at a tenth, a twentieth or a fortieth of input, and writes and answers at a usual multiple of it", () => {
		const own = listPrices.filter(({ model }) => /^(claude|gpt)-/.test(model));
		for (const { model, ...price } of own) {
			for (const { input, output, cacheRead, cacheWrite } of [price, ...(price.tiers ?? [])]) {
				expect([10, 20, 40], model).toContain(Math.round((100 * input) / cacheRead) / 100);
				expect([1, 1.25], model).toContain(Math.round((100 * cacheWrite) / input) / 100);
				// Above a step of GPT, output rises by half while input doubles.
				const multiple = (output * (input === 2 * price.input ? 4 / 3 : 1)) / input;
				expect(multiplesOf(model), model).toContain(Math.round(100 * multiple) / 100);
			}
		}
	});
});
