import { expect, test } from "vitest";
import { foldTranscript } from "#core/graph";
import { cwl } from "#core/planning";
import { defaultToolTable, loadTokenCounter } from "#pi";
import { build, call, model, person, result } from "../../packages/core/test-support/message-builders.ts";
import { timeNaively, timeWithin } from "./baselines.ts";
import { generateSession } from "./generated-session.ts";
import { measureSession, type Row } from "./measure.ts";
import { stripNaively } from "./naive-algorithm.ts";

const fixed = { system: 400, tools: 500 };
const settings = { policy: cwl, budget: 20_000, fixed, timed: 20, limit: Number.POSITIVE_INFINITY };

function named(rows: readonly Row[], name: string): Row | undefined {
	return rows.find((row) => row.name === name);
}

test("the same seed generates the same session, with annotations", () => {
	const session = generateSession(300, 7);
	expect(session).toEqual(generateSession(300, 7));
	expect(session).not.toEqual(generateSession(300, 8));
	expect(JSON.stringify(session)).toContain('"delimiter"');
});

test("the given clock times every row: with a clock that stands still all times are 0", async () => {
	const count = await loadTokenCounter();
	const rows = measureSession(generateSession(300, 1), count, { ...settings, now: () => 5 });
	expect(rows.map(({ p99Ms }) => p99Ms)).toEqual(rows.map(() => 0));
	expect(named(rows, "request")?.samples).toBe(20);
	expect(named(rows, "request with a pass")?.samples).toBeGreaterThan(0);
	expect(named(rows, "plan input, in a tool call")?.samples).toBe(20);
	expect(named(rows, "preview, in a tool call")?.samples).toBe(20);
});

test("tokenizing and managing are timed apart", async () => {
	const count = await loadTokenCounter();
	let now = 0;
	const slowly = (text: string) => {
		now += 1;
		return count(text);
	};
	const rows = measureSession(generateSession(300, 1), slowly, { ...settings, now: () => now });
	expect(named(rows, "request")?.p50Ms).toBe(0);
	expect(named(rows, "tokenizing what is new")?.p50Ms).toBeGreaterThan(0);
	expect(named(rows, "recounting all")?.p50Ms).toBeGreaterThan(300);
});

const exchanges = ["a", "b", "c"].flatMap((id) => [model(call(id, "read")), result(id, 90), person(1)]);
const graph = foldTranscript(build([person(1), ...exchanges]), defaultToolTable);
const none = { system: 0, tools: 0 };

test("the naive algorithm strips what is oldest until the budget is met", () => {
	const left = (budget: number) => [...stripNaively(graph, budget, none, defaultToolTable)].at(-1);
	expect(left(1_000)).toBe(304);
	expect(left(250)).toBe(204);
	expect(left(0)).toBe(104);
});

/** A clock that advances by one at each reading. */
function ticking(): () => number {
	let ticks = 0;
	return () => {
		ticks += 1;
		return ticks;
	};
}

test("a baseline begins no run past its limit, and has one at least", () => {
	expect(timeWithin(5, () => {}, { limit: 100, now: ticking() })).toHaveLength(5);
	expect(timeWithin(5, () => {}, { limit: 0, now: ticking() })).toHaveLength(1);
});

test("the time of a naive run that is cut short is extrapolated from the tokens it freed", () => {
	const whole = timeNaively(graph, 104, none, { limit: 1_000, now: ticking() });
	expect(whole.isEstimate).toBe(false);
	const cut = timeNaively(graph, 104, none, { limit: 0, now: ticking() });
	expect(cut.isEstimate).toBe(true);
	expect(cut.ms).toBeGreaterThan(0);
	// The budget is met, so nothing is left to do.
	expect(timeNaively(graph, 1_000, none, { limit: 0, now: ticking() }).isEstimate).toBe(false);
});
