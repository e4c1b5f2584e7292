/**
 * The statements of a replay's page against the requests that were replayed: what is expected is summed up here from the
 * size of each request, and not from the report.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { sum } from "#basics";
import { scratchFolder } from "../../workspace/test-support/scratch.ts";
import { parsePolicies } from "../policies/registry.ts";
import { createReport } from "../report/report.ts";
import type { Run } from "../run/run.ts";
import { whatIfArms } from "../run/what-if.ts";
import { writeLongSession } from "../test-support/long-session.ts";
import { chartsOf, expectBalanced, scriptsOf } from "../test-support/pages.ts";
import { replayWith, testSettings, underBudget, writeSessionFile } from "../test-support/replay-run.ts";
import { formatPage } from "./replay-page.ts";

const BUDGET = 4_000;
const POLICIES = ["none", "paper", "cwl", "compaction:keep=500:summary=100"];
/** Rounds of each session, four replies a round; the last two stay below the budget. */
const ROUNDS = { "a <b> & c": 30, long: 24, short: 2, shorter: 1 };

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

/** The size of each request of each session under a policy. */

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
