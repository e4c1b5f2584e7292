import { expect, test } from "vitest";
import { foldTranscript } from "../../packages/core/fold.ts";
import { cwl } from "../../packages/core/policies/cwl.ts";
import { build, call, model, person, result } from "../../packages/core/test-support/drafts.ts";
import { defaultToolTable } from "../../packages/core/tool-table.ts";
import { loadTokenCounter } from "../../packages/host/tokens.ts";
import { generateSession } from "./generated-session.ts";
import { measureSession, type Row } from "./measure.ts";
import { runNaively } from "./naive-algorithm.ts";

const fixed = { system: 400, tools: 500 };
const settings = { policy: cwl, budget: 20_000, fixed, timed: 20 };

function named(rows: readonly Row[], name: string): Row | undefined {
	return rows.find((row) => row.name === name);
}

test("a session is generated alike for the same seed, and is annotated", () => {
	const session = generateSession(300, 7);
	expect(session).toEqual(generateSession(300, 7));
	expect(session).not.toEqual(generateSession(300, 8));
	expect(JSON.stringify(session)).toContain('"delimiter"');
});

test("the clock is read around what is ours: with one that stands still everything took nothing", async () => {
	const count = await loadTokenCounter();
	const rows = measureSession(generateSession(300, 1), count, { ...settings, now: () => 5 });
	expect(rows.map(({ p99Ms }) => p99Ms)).toEqual(rows.map(() => 0));
	expect(named(rows, "request")?.samples).toBe(20);
	expect(named(rows, "request with a pass")?.samples).toBeGreaterThan(0);
});

test("what the tokenizer takes is told apart from what managing takes", async () => {
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

test("the naive algorithm strips what is oldest until the budget is met", () => {
	const exchanges = ["a", "b", "c"].flatMap((id) => [model(call(id, "read")), result(id, 90), person(1)]);
	const graph = foldTranscript(build([person(1), ...exchanges]), defaultToolTable);
	const none = { system: 0, tools: 0 };
	expect(runNaively(graph, 1_000, none, defaultToolTable)).toBe(304);
	expect(runNaively(graph, 250, none, defaultToolTable)).toBe(204);
	expect(runNaively(graph, 0, none, defaultToolTable)).toBe(104);
});
