import fc from "fast-check";
import { expect, test } from "vitest";
import { CwlError } from "../errors.ts";
import { formatTokens } from "../screen/figures.ts";
import { budgetTokens, DEFAULT_CAP, formatBudget, MIN_BUDGET } from "./budget.ts";
import { parseBudget } from "./schema.ts";

test.each([
	["80000", { tokens: 80_000 }, "80k"],
	[80_000, { tokens: 80_000 }, "80k"],
	["2.5k", { tokens: 2_500 }, "2.5k"],
	["80500", { tokens: 80_500 }, "80.5k"],
	["1.25M", { tokens: 1_250_000 }, "1.25M"],
	[MIN_BUDGET, { tokens: MIN_BUDGET }, "2k"],
	["40%", { share: 0.4 }, "40%"],
	["1%", { share: 0.01 }, "1%"],
	["12.5%", { share: 0.125 }, "12.5%"],
])("%j is read as %j and written as %s", (input, size, written) => {
	const budget = parseBudget(input);
	expect(budget).toEqual({ type: Object.keys(size)[0], ...size });
	expect(formatBudget(budget)).toBe(written);
});

test.each(["auto", " AUTO "])("%j follows the model and the session", (input) => {
	expect(parseBudget(input)).toEqual({ type: "auto" });
	expect(formatBudget(parseBudget(input))).toBe("auto");
	expect(budgetTokens(parseBudget(input), 1_000_000)).toBe(160_000);
	expect(budgetTokens(parseBudget(input), 1_000_000, { type: "share", share: 0.5 })).toBe(500_000);
	expect(budgetTokens(parseBudget(input), 128_000)).toBe(128_000 - 16_384);
});

const refused: readonly unknown[] = [
	...["", "lots", "80kb", "80,000", "-80k", "8e4", ".5m", "80k 40%", "0.5%", "101%", "1999"],
	`${"9".repeat(20)}m`,
	...[0.4, Number.NaN, true, null, undefined, [80_000], { tokens: 80_000 }, Object.create(null)],
];

test.each(refused.map((input) => [input]))(
	"%j is refused, with what was found and what is allowed",
	(input) => {
		expect(() => parseBudget(input)).toThrow(
			expect.objectContaining({
				code: "bad-budget",
				message: `budget is ${JSON.stringify(input)}: use auto, tokens (80000 or 80k, at least ${MIN_BUDGET}) or a share of the model's window (40%, from 1% to 100%).`,
			}),
		);
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

test.each([
	[0, "0"],
	[999.7, "1k"],
	[9_960, "10k"],
	[999_499, "999k"],
	[999_500, "1M"],
	[1_240_000, "1.2M"],
	[12_400_000, "12M"],
])("%d tokens read as %s", (tokens, text) => {
	expect(formatTokens(tokens)).toBe(text);
});

test("a share is of the model's window, and of a common one while the model's is unknown", () => {
	const budget = parseBudget("25%");
	expect(budgetTokens(budget, 128_000)).toBe(32_000);
	for (const unknown of [undefined, 0, Number.NaN]) expect(budgetTokens(budget, unknown)).toBe(50_000);
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
	expect(budgetTokens(parseBudget("100%"), 200_000)).toBe(200_000 - 16_384);
	expect(budgetTokens(parseBudget("80k"), 8_192)).toBe(4_096);
	expect(budgetTokens(parseBudget("100%"), 1)).toBe(0);
});
