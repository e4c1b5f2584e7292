import { expect, test } from "vitest";
import { flatPrices } from "../../packages/core/test-support/prices.ts";
import type { Condition } from "./conditions.ts";
import { formatPage, makeReport, type RunFigures, summariseRun } from "./report.ts";
import type { RunRecord } from "./run.ts";

const condition: Condition = {
	name: "cwl-1k",
	policy: "cwl",
	budget: 1_000,
	isAuto: false,
	mode: "single",
	manager: "cwl",
};
const list = { ...flatPrices(), hits: () => 0 };

function record(seed: number, sizes: readonly number[], isSolved: boolean): RunRecord {
	return {
		...{ condition, seed, tasks: 1, reexplorations: 2, seconds: 60, history: [] },
		repair: { requests: 3, recalls: 1, tokens: 4_000 },
		results: [{ id: "001-bug", isSolved }],
		requests: sizes.map((input) => ({ input, cached: 100, output: 10, isSummary: false })),
	};
}

const made = (seed: number, sizes: readonly number[], isSolved = true): RunFigures =>
	summariseRun(record(seed, sizes, isSolved), { anthropic: list, openai: list });
const twoSeeds = new Map([[condition, [made(1, [500]), made(2, [700], false)]]]);

test("the figures of a run are sums over its requests, priced by the tokens from the cache", () => {
	const figures = made(1, [500, 1_200]);
	expect(figures).toMatchObject({ requests: 2, tokensProcessed: 1_700, peakContext: 1_200, overBudget: 1 });
	expect(figures.cachedShare).toBeCloseTo(200 / 1_700);
	expect(figures.cost.anthropic).toBeCloseTo(0.1 * 200 + 1_500 + 5 * 20);
	expect(figures.cost.openai).toBe(figures.cost.anthropic);
});

test("a request for a summary is paid and does not count against the budget", () => {
	const run = record(1, [500, 5_000], true);
	const requests = run.requests.map((request) => ({ ...request, isSummary: request.input > 1_000 }));
	const figures = summariseRun({ ...run, requests }, { anthropic: list, openai: list });
	expect(figures).toMatchObject({
		requests: 2,
		summaries: 1,
		tokensProcessed: 5_500,
		peakContext: 500,
		overBudget: 0,
	});
});

test("the seeds of a condition become one row, with means, the highest peak and the spread", async () => {
	const report = await makeReport(twoSeeds, { difficulty: "normal", added: 0, interrupted: false });
	expect(report.conditions).toHaveLength(1);
	expect(report.conditions[0]).toMatchObject({
		...{ name: "cwl-1k", mode: "single", policy: "cwl", budget: 1_000, seeds: [1, 2] },
		...{ tasks: 1, solved: 0.5, tokensProcessed: 600, peakContext: 700, wallSeconds: 60 },
	});
	expect(report.conditions[0]?.spread.solved).toBeCloseTo(Math.SQRT1_2);
});

test("the page names commit and seeds, and says that it was interrupted", async () => {
	const report = await makeReport(twoSeeds, { difficulty: "hard", added: 300, interrupted: true });
	const page = formatPage(report).join("\n");
	const { cpu = "" } = report.machines[0] ?? {};
	for (const part of [
		"1 hard tasks",
		"300 tokens longer",
		`commit ${report.commits[0]}`,
		"seeds 1, 2",
		cpu,
		"Interrupted",
	])
		expect(page).toContain(part);
	expect(page).toMatch(/^\| cwl-1k +\| +2 \| +0\.5 ± 0\.7 of 1 \|/m);
});
