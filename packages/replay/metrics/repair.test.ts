import { expect, test } from "vitest";
import type { CheckedNeed } from "./grounding.ts";
import { priceLists } from "./prices.ts";
import { addRepairs, createRepairMeter, noRepair } from "./repair.ts";

const history = [
	{ role: "user" as const, content: "go", timestamp: 1 },
	{ role: "user" as const, content: "a log", timestamp: 2 },
];
const sizes = () => [10_000];
const lists = [priceLists.anthropic];

function need(message: number, state: Partial<CheckedNeed> = {}): CheckedNeed {
	const source = { message, block: 0 };
	return {
		need: { kind: "edit", isCross: false, sources: [source], queries: [] },
		...{ isKept: false, isRecallable: false, ...state },
	};
}

test("content that is gone costs one more request and its whole output, each output once a session", () => {
	const measure = createRepairMeter(sizes, lists);
	const first = measure([need(0), need(0)], history, 50_000);
	expect(first).toMatchObject({ requests: 1, tokens: 60_060 });
	expect(first.costs[0]).toBeCloseTo(0.1 * 50_000 + 5 * 60 + 1.25 * 10_060);
	expect(measure([need(0)], history, 50_000)).toEqual(noRepair(1));
	expect(measure([need(1)], history, 50_000).requests).toBe(1);
});

test("a recall gives back at most a page, and what is kept costs nothing", () => {
	const measure = createRepairMeter(sizes, lists);
	expect(measure([need(0, { isKept: true })], history, 50_000)).toEqual(noRepair(1));
	expect(measure([need(0, { isRecallable: true })], history, 50_000).tokens).toBe(54_060);
});

test("repairs of several requests add up", () => {
	const one = { requests: 1, tokens: 5, costs: [2, 3] };
	expect(addRepairs(one, addRepairs(one, noRepair(2)))).toEqual({ requests: 2, tokens: 10, costs: [4, 6] });
});
