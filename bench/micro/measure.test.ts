import { expect, test } from "vitest";
import { cwl } from "#core/policies";
import { loadTokenCounter } from "#pi";
import { generateSession } from "./generated-session.ts";
import { measureSession, type Row } from "./measure.ts";

const fixed = { system: 400, tools: 500 };
const settings = { policy: cwl, budget: 20_000, fixed, timed: 20 };

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
