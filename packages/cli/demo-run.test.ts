import { join } from "node:path";
import { expect, test } from "vitest";
import { parseBudget } from "#pi/settings";
import type { RequestRecord } from "#testing/server";
import { reportWith } from "../replay/test-support/replay-run.ts";
import { createScratch } from "../workspace/test-support/scratch.ts";
import { runTasks } from "./demo-run.ts";

test("25 tasks under a budget of 24k: every pass keeps the budget, every request is accepted, every task is solved, and recall answers what compaction lost", async () => {
	const folder = createScratch();
	const records: RequestRecord[] = [];
	const notices: string[] = [];
	const summary = await runTasks({
		...{ tasks: 25, budget: parseBudget("24k"), record: folder, signal: new AbortController().signal },
		onProgress(progress) {
			if (progress.type === "request") records.push(progress.record);
			if (progress.type === "pass") notices.push(progress.text);
		},
	});
	expect(records.filter(({ refused }) => refused).map(({ refused }) => refused?.message)).toEqual([]);
	expect(records.map(({ promptTokens }) => promptTokens).filter((size) => size > summary.budget)).toEqual([]);
	expect(summary).toMatchObject({ refused: 0, overBudget: 0, requests: records.length });
	expect(summary.tasks.done).toBe(25);
	expect(summary.passes).toBeGreaterThanOrEqual(10);
	expect(summary.peakContext).toBeGreaterThan(summary.budget / 2);
	expect(records.filter(({ extendsPrevious }) => !extendsPrevious)).toHaveLength(summary.passes);
	expect(notices).toHaveLength(summary.passes);
	for (const notice of notices) expect(notice).toMatch(/^[\d.]+k? tokens evicted from \S/);
	const { questions = [], costs = [] } = summary.costs ?? {};
	const [cwl, compaction, none] = costs.map(({ answers }) => answers);
	expect(questions).toHaveLength(5);
	expect(none).toEqual({ inContext: 5 });
	expect(cwl?.withRecall).toBe(5);
	expect(cwl?.inContext).toBeGreaterThan(compaction?.inContext ?? 5);
	const replayed = await reportWith({ paths: [join(folder, "worker-1.jsonl")] });
	expect(replayed).toMatchObject({ damage: [], sessions: { replayed: 1, annotated: 1 } });
});
