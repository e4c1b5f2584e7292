import { expect, test } from "vitest";
import { type RequestMeasure, summariseTraffic } from "./traffic.ts";

const first: RequestMeasure = {
	tokens: 2_000,
	sharedTokens: 0,
	outputTokens: 100,
	follows: "nothing",
	hasPass: false,
	planMs: 9,
	isPressed: false,
};

test("figures add up over requests", () => {
	const extending: RequestMeasure = { ...first, tokens: 4_000, sharedTokens: 2_000, follows: "extends" };
	const breaking: RequestMeasure = {
		...first,
		tokens: 3_000,
		sharedTokens: 1_100,
		follows: "breaks",
		hasPass: true,
		planMs: 2,
	};
	const figures = summariseTraffic([first, extending, breaking], 3_000);
	expect(figures).toMatchObject({
		requests: 3,
		tokensProcessed: 9_000,
		meanContext: 3_000,
		maxContext: 4_000,
		overBudget: 1,
		passes: 1,
		prefixBreaks: 1,
		extendShare: 1 / 2,
		cachedShare: 3_100 / 9_000,
		passMs: { p50: 2, p99: 2 },
	});
	expect(figures.cost.anthropic).toBeCloseTo(1.25 * 5_900 + 0.1 * 3_100 + 5 * 300);
	expect(figures.cost.openai).toBeCloseTo(9_000 - 0.9 * (1_920 + 1_024) + 6 * 300);
});

test("without requests there are no shares", () => {
	expect(summariseTraffic([], 1)).toMatchObject({
		meanContext: 0,
		extendShare: null,
		cachedShare: null,
		passMs: { p50: null, p99: null },
	});
});
