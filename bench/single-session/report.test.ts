import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { flatPrices } from "../../packages/core/test-support/prices.ts";
import type { Condition } from "./conditions.ts";
import { formatPage, type KeptRun, keepRun, makeReport, readKeptRun, summariseRun } from "./report.ts";
import type { RunRecord } from "./run.ts";

const condition: Condition = {
	...{ name: "cwl-1k", policy: "cwl", budget: 1_000 },
	...{ mode: "single", manager: "cwl" },
};
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
		...{ condition, seed, tasks: 1, reexplorations: 2, seconds: 60 },
		repair: { requests: 3, recalls: 1, tokens: 4_000 },
		results: [{ id: "001-bug", isSolved }],
		requests: sizes.map((tokens) => ({ ...request, tokens })),
	};
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
		condition,
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

test("the page names machine, commit and seeds, and says that it was interrupted", () => {
	const page = formatPage(makeReport([kept(1, [500]), kept(2, [700], false)], true));
	for (const part of ["commit abc", "seeds 1, 2", "a cpu", "interrupted"]) expect(page).toContain(part);
	expect(page).toMatch(/^\| cwl-1k +\| +2 \| +0\.5 ± 0\.7 of 1 \|/m);
});

let directory = "";
afterEach(() => rm(directory, { recursive: true, force: true }));

test("kept runs are read back under their names; an error names a file that holds none", async () => {
	directory = await mkdtemp(join(tmpdir(), "kept-runs-"));
	for (const run of [kept(1, [500]), kept(2, [700])]) await keepRun(directory, run);
	const name = { ...kept(1, [500]), tasks: 1 };
	expect(await readKeptRun(directory, { ...name, seed: 2 })).toEqual(kept(2, [700]));
	expect(await readKeptRun(directory, { ...name, seed: 3 })).toBeUndefined();
	const [file = ""] = await readdir(directory);
	await writeFile(join(directory, file), "{}");
	await expect(readKeptRun(directory, { ...name, seed: 1 })).rejects.toThrow(`${file} holds no run`);
});
