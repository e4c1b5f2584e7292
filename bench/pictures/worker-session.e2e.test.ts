import { join } from "node:path";
import { expect, test } from "vitest";
import { parseBudget } from "#pi/settings";
import { reportWith } from "../../packages/replay/test-support/replay-run.ts";
import { createScratch } from "../../packages/workspace/test-support/scratch.ts";
import { runWorkerSession } from "./worker-session.ts";

test("25 tasks under a budget of 24k: every pass keeps the budget, every request is accepted, every task is solved", async () => {
	const record = join(createScratch(), "session.jsonl");
	const { requests, budget, done, passes, state, contexts } = await runWorkerSession({
		tasks: 25,
		budget: parseBudget("24k"),
		record,
		signal: new AbortController().signal,
	});
	expect(requests.flatMap(({ refused }) => refused?.message ?? [])).toEqual([]);
	const sizes = requests.map(({ promptTokens }) => promptTokens);
	expect(sizes.filter((size) => size > budget)).toEqual([]);
	expect(Math.max(...sizes)).toBeGreaterThan(budget / 2);
	expect(done).toBe(25);
	expect(passes.length).toBeGreaterThanOrEqual(10);
	for (const pass of passes) expect(pass).toMatch(/^[\d.]+k? tokens evicted from \S/);
	expect(requests.filter(({ extendsPrevious }) => !extendsPrevious)).toHaveLength(passes.length);
	expect(state?.episodes.length).toBeGreaterThan(25);
	expect(contexts.cwl).toHaveLength(requests.length);
	expect(await reportWith({ paths: [record] })).toMatchObject({
		damage: [],
		sessions: { replayed: 1, annotated: 1 },
	});
});
