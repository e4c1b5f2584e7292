import fc from "fast-check";
import { expect, test } from "vitest";
import { formatTokens } from "#basics";
import { CwlError } from "../errors.ts";
import { budgetTokens, DEFAULT_CAP, formatBudget, MIN_BUDGET } from "./budget.ts";
import examples from "./budget-examples.json" with { type: "json" };
import { parseBudget } from "./schema.ts";

test.each(examples.read)("$input is read as $size and written as $written", ({ input, size, written }) => {
	expect(parseBudget(input)).toEqual(size);
	expect(formatBudget(parseBudget(input))).toBe(written);
});

test.each([
	["auto", 1_000_000, 160_000],
	["auto", 128_000, 128_000 - 16_384],
	["25%", 128_000, 32_000],
	...[undefined, 0, Number.NaN].map((unknown) => ["25%", unknown, 50_000] as const),
	["100%", 200_000, 200_000 - 16_384],
	["80k", 8_192, 4_096],
	["100%", 1, 0],
] as const)("%s of a window of %s is %i tokens", (budget, window, tokens) => {
	expect(budgetTokens(parseBudget(budget), window)).toBe(tokens);
});

const refused: readonly unknown[] = [
	...["", "80kb", "-80k", "80k 40%", "0.5%", "101%", "1999", `${"9".repeat(20)}m`],
	...[0.4, Number.NaN, null, [80_000], Object.create(null)],
];

test.each(refused.map((input) => [input]))(
	"%j is refused, with what was found and what is allowed",
	(input) => {
		const message = `budget is ${JSON.stringify(input)}: use auto, tokens (80000 or 80k, at least ${MIN_BUDGET}) or a share of the model's window (40%, from 1% to 100%).`;
		expect(() => parseBudget(input)).toThrow(message);
	},
);

test("nothing but a budget or a refusal comes of any input", () => {
	fc.assert(
		fc.property(fc.oneof(fc.anything(), fc.stringMatching(/^[\d.]{1,5} ?[kKmM%]?$/)), (input) => {
			try {
				const budget = parseBudget(input);
				if (budget.type === "auto") expect(input).toMatch(/auto/i);
				else if (budget.type === "share")
					expect(budget.share).toSatisfy((share: number) => share > 0 && share <= 1);
				else expect(budget.tokens).toSatisfy((n: number) => Number.isSafeInteger(n) && n >= MIN_BUDGET);
			} catch (error) {
				expect(error).toBeInstanceOf(CwlError);
			}
		}),
	);
});

const anyBudget = fc.oneof(
	fc.integer({ min: MIN_BUDGET, max: 10_000_000 }).map((tokens) => parseBudget(tokens)),
	fc.integer({ min: 20, max: 9_999 }).map((hundreds) => parseBudget(`${hundreds / 10}k`)),
	fc.integer({ min: 1_000, max: 100_000 }).map((thousandths) => parseBudget(`${thousandths / 1_000}%`)),
);

test("a budget that is written down reads back as the same budget", () => {
	fc.assert(
		fc.property(anyBudget, (budget) => {
			expect(parseBudget(formatBudget(budget))).toEqual(budget);
		}),
	);
});

test.each(examples.sizes)("$tokens tokens read as $text", ({ tokens, text }) => {
	expect(formatTokens(tokens)).toBe(text);
});

test("a budget leaves the window room for the answer, and half of a small window", () => {
	fc.assert(
		fc.property(anyBudget, fc.integer({ min: 1, max: 2_000_000 }), (budget, window) => {
			const tokens = budgetTokens(budget, window);
			expect(Number.isInteger(tokens)).toBe(true);
			expect(tokens).toBeLessThanOrEqual(Math.max(window - 16_384, window / 2));
			const size = budget.type === "auto" ? DEFAULT_CAP : budget;
			const wanted = size.type === "tokens" ? size.tokens : size.share * window;
			expect(tokens).toBeLessThanOrEqual(wanted + 0.5);
		}),
	);
	const cap = { type: "share", share: 0.5 } as const;
	expect(budgetTokens(parseBudget("auto"), 1_000_000, cap)).toBe(500_000);
});
