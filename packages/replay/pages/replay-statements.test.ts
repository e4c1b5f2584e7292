/**
 * The statements of a replay's page against the requests that were replayed: what is expected is summed up here from the
 * size of each request, and not from the report.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createReport, type Report } from "../report/report.ts";
import type { Run } from "../run/run.ts";
import { writeLongSession } from "../test-support/long-session.ts";
import { chartsOf, rowsOf, textOf } from "../test-support/pages.ts";
import { replayWith, testSettings, underBudget, writeSessionFile } from "../test-support/replay-run.ts";
import { formatPage } from "./replay-page.ts";

const BUDGET = 4_000;
const POLICIES = ["none", "paper", "cwl", "compaction:keep=500:summary=100"];
/** Replies of the sessions, four a round. */
const REPLIES = [4 * 30, 4 * 24, 4 * 2];

let folder: string;
let run: Run;
let report: Report;
let page: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cwl-statements-"));
	for (const replies of REPLIES) {
		await writeSessionFile(join(folder, `s${replies}.jsonl`), writeLongSession(replies / 4));
	}
	const options = { paths: [folder], arms: underBudget(POLICIES.join()), setup: { withContexts: true } };
	run = await replayWith(options);
	report = createReport(run, testSettings(options));
	page = formatPage(report, run, "now");
});
afterAll(() => rm(folder, { recursive: true }));

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const kilo = (tokens: number) => `${(tokens / 1_000).toFixed(1)}k`;

/** The size of each request of each session under a policy. */
const sizesOf = (arm: number) => run.replays.map(({ results }) => results[arm]?.contexts ?? []);
const breaksOf = (arm: number) => sum(run.replays.map(({ results }) => results[arm]?.all.breaking ?? 0));

/** Of each session the requests from the first on whose whole history passes the budget. */
function pressedOf(arm: number): readonly number[] {
	const whole = sizesOf(0);
	return sizesOf(arm).flatMap((sizes, session) => {
		const first = whole[session]?.findIndex((size) => size > BUDGET) ?? -1;
		return first < 0 ? [] : sizes.slice(first);
	});
}

test("the cards: sessions, those that outgrow the budget, requests, policies", () => {
	const tiles = [...page.matchAll(/<li><strong>(.*?)<\/strong>(.*?)<\/li>/g)].map(
		([, value, what]) => `${value} ${what}`,
	);
	const outgrown = sizesOf(0).filter((sizes) => Math.max(...sizes) > BUDGET).length;
	expect(outgrown).toBe(2);
	expect(tiles.toSpliced(3, 1)).toEqual([
		`${REPLIES.length} sessions replayed`,
		`${outgrown} of them outgrow 4.0k tokens`,
		`${sum(REPLIES)} requests for each policy`,
		`${POLICIES.length} policies compared`,
	]);
});

test("the table of all requests: each sum, largest and share is that of the requests", () => {
	const rows = rowsOf(page, "largest context");
	expect(rows.map(([name]) => name)).toEqual(POLICIES);
	for (const [arm, row] of rows.entries()) {
		const sizes = sizesOf(arm).flat();
		expect(row[1]).toBe(String(sum(REPLIES)));
		expect(row[2]).toBe(`${(sum(sizes) / 1_000_000).toFixed(1)}M`);
		expect(row[3]).toBe(kilo(sum(sizes) / sizes.length));
		expect(row[4]).toBe(kilo(Math.max(...sizes)));
		expect(row[5]).toBe(String(sizes.filter((size) => size > BUDGET).length));
		expect(row[7]).toBe(String(breaksOf(arm)));
	}
});

test("the table under pressure: requests from the first one that would pass the budget", () => {
	const rows = rowsOf(page, "own text");
	for (const [arm, row] of rows.entries()) {
		const sizes = pressedOf(arm);
		expect(row.slice(1, 4)).toEqual([
			...[String(sizes.length), kilo(sum(sizes) / sizes.length)],
			String(sizes.filter((size) => size > BUDGET).length),
		]);
	}
	expect(textOf(page)).toContain("whole history passes 4.0k tokens (2 sessions)");
});

test("the charts of context draw every request of a session", () => {
	const charts = chartsOf(page);
	for (const { session, results } of run.replays) {
		const chart = charts.find(({ summary }) => summary.includes(`each request of session ${session},`));
		const lines = chart?.sets.filter(({ style }) => style === "line") ?? [];
		expect(lines.map(({ data }) => data)).toEqual(results.map(({ contexts }) => contexts));
	}
});

test("the chart of cost and content: each point is its policy's cost as a share of no eviction, and what it kept", () => {
	const front = chartsOf(page).find(({ summary }) => summary.startsWith("needs of later steps"));
	const costs = POLICIES.map((_, arm) =>
		sum(run.replays.map(({ results }) => results[arm]?.pressed.costs[0] ?? 0)),
	);
	const points = front?.sets.filter(({ style }) => style === "points") ?? [];
	expect(points.map(({ data }) => Number(Object(data[0])[0]).toFixed(3))).toEqual(
		costs.map((cost) => (cost / (costs[0] ?? 1)).toFixed(3)),
	);
	expect(points.map(({ name }) => name.endsWith("*"))).toEqual(
		POLICIES.map((_, arm) => pressedOf(arm).some((size) => size > BUDGET)),
	);
});
