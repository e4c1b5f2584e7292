import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { flatPrices } from "../../packages/core/test-support/prices.ts";
import { columnsOf, readResultsPage, tableUnder } from "../test-support/published-table.ts";
import { parseConditions } from "./conditions.ts";
import { summariseRun } from "./figures.ts";
import { type KeptRun, keepRun, readKeptRuns } from "./kept-runs.ts";
import { formatPage } from "./page.ts";
import { makeReport, type SingleSessionReport } from "./report.ts";
import type { RunRecord } from "./run.ts";

const [condition, flipped] = parseConditions("cwl,cwl-flipped-50", [1_000]);
if (!condition || !flipped) throw new Error("no condition");
const list = { ...flatPrices(), hits: () => 0 };

function record(seed: number, sizes: readonly number[], isSolved: boolean): RunRecord {
	const request = {
		cachedTokens: 100,
		prefixTokens: 50,
		outputTokens: 10,
		isRefused: false,
		isSummary: false,
	};
	return {
		...{ condition, seed, tasks: 1, reexplorations: 2, seconds: 60, paid: undefined },
		repair: { requests: 3, recalls: 1, tokens: 4_000 },
		results: [{ id: "001-bug", isSolved }],
		requests: sizes.map((tokens) => ({ ...request, tokens })),
	} as RunRecord;
}

function kept(seed: number, sizes: readonly number[], isSolved = true): KeptRun {
	const machine = { cpu: "a cpu", cores: 2, memory: 8, system: "Linux", node: "20.0.0" };
	const figures = summariseRun(record(seed, sizes, isSolved), { anthropic: list, openai: list });
	const about = { version: 3, date: "2026-01-02", commit: "abc", machine, versions: ["pi 1"] } as const;
	return {
		...about,
		agent: "pi",
		isTerse: false,
		difficulty: "normal",
		condition: condition as never,
		figures,
	};
}

test("the figures of a run are sums over its requests, priced by the tokens from each cache", () => {
	const { figures } = kept(1, [500, 1_200]);
	expect(figures).toMatchObject({ requests: 2, tokensProcessed: 1_700, peakContext: 1_200, overBudget: 1 });
	expect(figures.cachedShare).toBeCloseTo(200 / 1_700);
	expect(figures.cost.anthropic).toBeCloseTo(0.1 * 200 + 1_500 + 5 * 20);
	expect(figures.cost.openai).toBeCloseTo(0.1 * 100 + 1_600 + 5 * 20);
});

test("a request for a summary is paid and does not count against the budget", () => {
	const run = record(1, [500, 5_000], true);
	const requests = run.requests.map((request) => ({ ...request, isSummary: request.tokens > 1_000 }));
	const figures = summariseRun({ ...run, requests }, { anthropic: list, openai: list });
	expect(figures).toMatchObject({
		requests: 2,
		summaries: 1,
		tokensProcessed: 5_500,
		peakContext: 500,
		overBudget: 0,
	});
});

test("the seeds of a condition become one row, with means, the highest peak and the spread", () => {
	const report = makeReport([kept(1, [500]), kept(2, [700], false)], false);
	expect(report.conditions).toHaveLength(1);
	expect(report.conditions[0]).toMatchObject({
		...{ name: "cwl-1k", mode: "single", policy: "cwl", budget: 1_000, seeds: [1, 2] },
		...{ tasks: 1, solved: 0.5, tokensProcessed: 600, peakContext: 700, wallSeconds: 60 },
	});
	expect(report.conditions[0]?.spread.solved).toBeCloseTo(Math.SQRT1_2);
});

test("the page names machine, commit, seeds, unsolved tasks and its limits", () => {
	const page = formatPage(makeReport([kept(1, [500]), kept(2, [700], false)], true));
	for (const part of ["commit abc", "seeds 1, 2", "a cpu", "interrupted", "cwl-1k, seed 2: 001-bug"])
		expect(page).toContain(part);
	expect(page).toMatch(/^\| cwl-1k +\| +2 \| +0\.5 ± 0\.7 of 1 \|/m);
	expect(page).toContain("## What the figures do not show");
});

test("the page counts many unsolved tasks by their kind", () => {
	const run = kept(1, [500], false);
	const failed = [...Array(5).keys()].map((i) => `task-00${i}-release`).concat("task-006-total");
	const page = formatPage(makeReport([{ ...run, figures: { ...run.figures, failed } }], false));
	expect(page).toContain("- cwl-1k, over 1 seed: 5 release, 1 total");
});

test("the page compares damaged marks with intact ones", () => {
	const page = formatPage(makeReport([kept(1, [500]), { ...kept(1, [1_000]), condition: flipped }], false));
	expect(page).toMatch(/^\| flipped +\| +50 % \| +1 of 1 \| +\$\d+\.\d\d \(\d+ %\) \| +2 \|$/m);
	expect(formatPage(makeReport([kept(1, [500])], false))).not.toContain("marks damaged");
});

test("a page has the easier tasks first, and no column that is empty in every row", () => {
	const { repair: _, ...figures } = kept(1, [500]).figures;
	const page = formatPage(makeReport([{ ...kept(1, [500]), difficulty: "hard" }, kept(1, [500])], false));
	expect(page.indexOf("## 1 tasks")).toBeLessThan(page.indexOf("## 1 hard tasks"));
	expect(page).toContain("repair, calls");
	expect(formatPage(makeReport([{ ...kept(1, [500]), figures }], false))).not.toContain("repair, calls");
});

async function readKeptReport(name: string, conditions: number): Promise<SingleSessionReport> {
	const path = join(import.meta.dirname, "../results", `${name}.json`);
	const report: SingleSessionReport = JSON.parse(await readFile(path, "utf8"));
	expect(report.interrupted).toBe(false);
	expect(report.conditions).toHaveLength(conditions);
	return report;
}

test("the published table of the hard tasks is made of the kept figures", async () => {
	const made = tableUnder(
		formatPage(await readKeptReport("single-session-hard", 16)),
		"## 89 hard tasks in process",
	);
	const shown = tableUnder(await readResultsPage(), "### Hard tasks");
	expect(shown).toEqual(columnsOf(made, shown[0] ?? []));
	expect(shown.length).toBeGreaterThan(10);
});

test("the published table of damaged marks is made of the kept figures", async () => {
	const page = formatPage(await readKeptReport("single-session-marks", 40));
	const [, ...made] = tableUnder(page, "## 89 hard tasks in process, marks damaged");
	const [, ...shown] = tableUnder(await readResultsPage(), "### Damaged marks");
	const withoutSolved = made.map((row) => row.filter((_, at) => at !== 2 && at !== 5));
	expect(shown).toEqual(withoutSolved.filter(([, share]) => share !== "5 %" && share !== "20 %"));
	expect(made.flatMap((row) => [row[2], row[5]])).toEqual(Array(2 * made.length).fill("88 of 89"));
	expect(shown).toHaveLength(8);
});

let directory = "";
afterEach(() => rm(directory, { recursive: true, force: true }));

test("kept runs are read back under their names; an error names a file that holds none", async () => {
	directory = await mkdtemp(join(tmpdir(), "kept-runs-"));
	for (const run of [kept(1, [500]), kept(2, [700])]) await keepRun(join(directory, "runs"), run);
	const runs = await readKeptRuns(join(directory, "runs"));
	expect([...runs.values()]).toEqual([kept(1, [500]), kept(2, [700])]);
	expect(await readKeptRuns(join(directory, "none"))).toEqual(new Map());
	await writeFile(join(directory, "runs", "x.json"), "{}");
	await expect(readKeptRuns(join(directory, "runs"))).rejects.toThrow(/x\.json holds no run/);
});
