/**
 * The statements of a replay's page against the requests that were replayed: what is expected is summed up here from the
 * size of each request, and not from the report.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { formatTokens } from "#basics";
import { scratchFolder } from "../../workspace/test-support/scratch.ts";
import { parsePolicies } from "../policies/registry.ts";
import { createReport } from "../report/report.ts";
import type { Run } from "../run/run.ts";
import { whatIfArms } from "../run/setup.ts";
import { writeLongSession } from "../test-support/long-session.ts";
import { chartsOf, expectBalanced, rowsOf, scriptsOf, textOf } from "../test-support/pages.ts";
import { replayWith, testSettings, underBudget, writeSessionFile } from "../test-support/replay-run.ts";
import { formatPage } from "./replay-page.ts";

const BUDGET = 4_000;
const POLICIES = ["none", "paper", "cwl", "compaction:keep=500:summary=100"];
/** Rounds of each session, four replies a round; the last two stay below the budget. */
const ROUNDS = { "a <b> & c": 30, long: 24, short: 2, shorter: 1 };
const REQUESTS = 4 * 57;

const folder = scratchFolder();
let run: Run;
let page: string;
beforeAll(async () => {
	for (const [name, rounds] of Object.entries(ROUNDS)) {
		await writeSessionFile(join(folder, `${name}.jsonl`), writeLongSession(rounds));
	}
	({ run, page } = await pageOf(folder, POLICIES.join()));
});

async function pageOf(path: string, policies: string) {
	const options = { paths: [path], arms: underBudget(policies), setup: { withContexts: true } };
	const made = await replayWith(options);
	const report = createReport(made, testSettings(options));
	return { run: made, page: formatPage(report, made, "on a test machine") };
}

test("a page holds every chart and table, draws the three longest sessions, and no session's name can break it", () => {
	expectBalanced(page);
	expect(page.match(/<table>/g)).toHaveLength(2);
	expect(page).toContain("a &lt;b&gt; &amp; c");
	expect(page).not.toContain("<b>");
	expect(page).toContain("on a test machine");
	const [, ...drawn] = chartsOf(page).map(({ summary }) => /of session (.*), by policy/.exec(summary)?.[1]);
	expect(drawn).toEqual(["a <b> & c", "long", "short"]);
});

test("a page may load nothing, and only its own scripts run", () => {
	const [policy = ""] = /default-src[^"]*/.exec(page) ?? [];
	const hashes = scriptsOf(page).map((script) => createHash("sha256").update(script).digest("base64"));
	expect(hashes).toHaveLength(2);
	const allowed = hashes.map((hash) => `'sha256-${hash}'`).join(" ");
	expect(policy).toBe(`default-src 'none'; style-src 'unsafe-inline'; script-src ${allowed}`);
});

test("of many policies the first eight are shown, those that people ask for before the others", async () => {
	const { page: all } = await pageOf(join(folder, "short.jsonl"), "all");
	const lines = (chartsOf(all).at(-1)?.sets ?? []).filter(({ style }) => style === "line");
	const shown = lines.filter(({ isHidden }) => isHidden !== true).map(({ name }) => name);
	expect(shown).toEqual(expect.arrayContaining(["none", "paper", "cwl", "compaction"]));
	expect(shown).toHaveLength(8);
	expect(lines).toHaveLength(underBudget("all").length);
});

test("a legend names everything once, and the advised point has its name in any case", async () => {
	const options = {
		paths: [join(folder, "long.jsonl")],
		arms: whatIfArms([2_000, BUDGET], parsePolicies("cwl")),
		pressure: 2_000,
		setup: { withContexts: true },
	};
	const made = await replayWith(options);
	const report = createReport(made, { ...testSettings(options), isSweep: true });
	const [points, lines] = chartsOf(formatPage(report, made, "now"));
	const advised = points?.sets.filter(({ isAdvised }) => isAdvised).map(({ name }) => name);
	expect(advised).toEqual([`${report.advice?.policy} (recommended)`]);
	const names = lines?.sets.map(({ name }) => name) ?? [];
	expect(new Set(names).size).toBe(names.length);
	// A line far above all requests, such as that of the automatic budget, is left out.
	expect(names.at(-1)).toBe("budgets: 2k, 4k");
});

test("one policy, or nothing at all, make a page too", async () => {
	expectBalanced((await pageOf(join(folder, "short.jsonl"), "none")).page);
	const { page: empty } = await pageOf(join(folder, "missing.jsonl"), "none,paper");
	expectBalanced(empty);
	expect(empty).toContain("there is no such file");
	expect(scriptsOf(empty)).toEqual([]);
});

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** The size of each request of each session under a policy. */
const sizesOf = (arm: number) => run.replays.map(({ results }) => results[arm]?.contexts ?? []);
const breaksOf = (arm: number) => sum(run.replays.map(({ results }) => results[arm]?.all.prefixBreaks ?? 0));

/** Of each session the requests from the first on whose whole history passes the budget. */
function pressedOf(arm: number): readonly number[] {
	const whole = sizesOf(0);
	return sizesOf(arm).flatMap((sizes, session) => {
		const first = whole[session]?.findIndex((size) => size > BUDGET) ?? -1;
		return first < 0 ? [] : sizes.slice(first);
	});
}

test("the table of all requests: each sum, largest and share is that of the requests", () => {
	const rows = rowsOf(page, "largest context");
	expect(rows.map(([name]) => name)).toEqual(POLICIES);
	for (const [arm, row] of rows.entries()) {
		const sizes = sizesOf(arm).flat();
		expect(row[1]).toBe(String(REQUESTS));
		expect(row[2]).toBe(formatTokens(sum(sizes)));
		expect(row[3]).toBe(formatTokens(sum(sizes) / sizes.length));
		expect(row[4]).toBe(formatTokens(Math.max(...sizes)));
		expect(row[5]).toBe(String(sizes.filter((size) => size > BUDGET).length));
		expect(row[7]).toBe(String(breaksOf(arm)));
	}
});

test("the table under pressure: requests from the first one that would pass the budget", () => {
	const rows = rowsOf(page, "looks");
	for (const [arm, row] of rows.entries()) {
		const sizes = pressedOf(arm);
		expect(row.slice(1, 4)).toEqual([
			...[String(sizes.length), formatTokens(sum(sizes) / sizes.length)],
			String(sizes.filter((size) => size > BUDGET).length),
		]);
	}
	expect(textOf(page)).toContain("whole history passes 4k tokens (2 sessions)");
});

test("the charts of context draw every request of each", () => {
	const charts = chartsOf(page);
	for (const { session, results } of run.replays.filter((replay) => replay.session !== "shorter")) {
		const chart = charts.find(({ summary }) => summary.includes(`each request of session ${session},`));
		const lines = chart?.sets.filter(({ style }) => style === "line") ?? [];
		expect(lines.map(({ data }) => data)).toEqual(results.map(({ contexts }) => contexts));
	}
});

test("the chart of cost and content: each point is its policy's cost as a share of no eviction, and what it kept", () => {
	const costsAndContent = chartsOf(page).find(({ summary }) => summary.startsWith("needs of later steps"));
	const costs = POLICIES.map((_, arm) =>
		sum(run.replays.map(({ results }) => results[arm]?.pressed.costs[0] ?? 0)),
	);
	const points = costsAndContent?.sets ?? [];
	expect(points.map(({ data }) => Number(Object(data[0])[0]).toFixed(3))).toEqual(
		costs.map((cost) => (cost / (costs[0] ?? 1)).toFixed(3)),
	);
});
