import { expect, test } from "vitest";
import { priceLists } from "./prices.ts";
import { addUp, describeTraffic, emptyTally, type RequestMeasure, tallyRequest } from "./traffic.ts";

const lists = [priceLists.anthropic, priceLists.openai, { ...priceLists.openai, read: 1, output: 1 }];
const models = ["maker/model"];

const first: RequestMeasure = {
	tokens: 2_000,
	sharedTokens: 0,
	outputTokens: 100,
	extraCalls: [],
	isBreak: false,
	hasPass: false,
	isOverBudget: false,
};

function describe(...requests: readonly RequestMeasure[]) {
	const tallies = requests.map((request) => tallyRequest(request, lists));
	return describeTraffic(tallies.reduce(addUp, emptyTally(lists.length)), models);
}

test("figures add up over requests", () => {
	const extending = { ...first, tokens: 4_000, sharedTokens: 2_000, isOverBudget: true };
	const breaking = { ...first, tokens: 3_000, sharedTokens: 1_100, isBreak: true, hasPass: true };
	const figures = describe(first, extending, breaking);
	expect(figures).toMatchObject({
		requests: 3,
		tokensProcessed: 9_000,
		meanContext: 3_000,
		maxContext: 4_000,
		overBudget: 1,
		passes: 1,
		prefixBreaks: 1,
		cachedShare: 3_100 / 9_000,
	});
	expect(figures.cost.anthropic).toBeCloseTo(1.25 * 5_900 + 0.1 * 3_100 + 5 * 300);
	expect(figures.cost.openai).toBeCloseTo(9_000 - 0.9 * (1_920 + 1_024) + 6 * 300);
	expect(figures.dollars).toEqual({ "maker/model": 9_300 });
});

test("calls that a policy makes are in its cost and are listed next to its requests", () => {
	const call = { input: 1_000, cached: 400, output: 50 };
	const { cost, extraCalls, tokensProcessed } = describe({ ...first, extraCalls: [call, call] });
	expect(extraCalls).toEqual({ calls: 2, input: 2_000, cached: 800, output: 100 });
	expect(tokensProcessed).toBe(first.tokens);
	expect(cost.anthropic - describe(first).cost.anthropic).toBeCloseTo(2 * (0.1 * 400 + 1.25 * 600 + 5 * 50));
	expect(cost.openai - describe(first).cost.openai).toBeCloseTo(2 * (0.1 * 400 + 600 + 6 * 50));
});

test("without requests there are no shares", () => {
	expect(describe()).toMatchObject({ meanContext: 0, cachedShare: null });
});
