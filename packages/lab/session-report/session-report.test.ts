import { beforeAll, expect, test } from "vitest";
import { priceLists } from "../metrics/prices.ts";
import { formatSessionPage } from "../pages/session-page.ts";
import { writeLongSession } from "../test-support/long-session.ts";
import { manageSession, OVERHEAD } from "../test-support/managed-run.ts";
import { countQuarters, inOrder, reply, says, user } from "../test-support/messages.ts";
import { reportSession, type SessionReport } from "./session-report.ts";

const BUDGET = 4_000;
const settings = { budget: BUDGET, count: countQuarters, prices: priceLists.anthropic, unit: "units" };

let report: SessionReport;
beforeAll(() => {
	report = reportSession(manageSession(writeLongSession(40).messages, BUDGET), settings);
});

test("each request is what it was: under the budget, its components adding up to what the provider reported", () => {
	expect(report.requests).toHaveLength(4 * 40);
	for (const { ledger, input } of report.requests) {
		expect(ledger.total).toBe(input);
		expect(ledger.system).toBe(OVERHEAD);
		expect(ledger.total).toBeLessThanOrEqual(BUDGET);
	}
	expect(report.requests.at(-1)?.passes).toBe(report.passes.length);
});

test("each pass stands at the request that it was made for, with what went and why", () => {
	expect(report.passes.length).toBeGreaterThan(3);
	for (const { number, request, before, after, episodes, decision } of report.passes) {
		expect(report.requests[request ?? -1]).toMatchObject({ passes: number, cached: 0 });
		expect(report.requests[request ?? -1]?.ledger.total).toBe(after);
		expect(before - after).toBeGreaterThan(0);
		expect(episodes.length).toBeGreaterThan(0);
		expect(decision?.reason).toBe("over budget");
	}
});

test("episodes lie one after the other, and say how much of them is gone", () => {
	for (const { from, to, tokens, evictedTokens, level } of report.episodes) {
		expect(to).toBeGreaterThanOrEqual(from);
		expect(evictedTokens).toBeLessThanOrEqual(tokens);
		expect(level > 0).toBe(evictedTokens > 0);
	}
	expect(report.episodes[0]?.level).toBeGreaterThan(0);
	expect(report.episodes.at(-1)?.level).toBe(0);
});

test("the cost as it went is that of the reported usage, beside two replays of the same steps", () => {
	const [own, none, compaction] = report.costs.arms;
	const { read, fresh, output } = priceLists.anthropic;
	const costs = report.requests.map(
		({ input, cached }) => read * cached + fresh * (input - cached) + output * 10,
	);
	expect(own?.total).toBeCloseTo(costs.reduce((sum, cost) => sum + cost, 0));
	expect(own?.largest).toBe(Math.max(...report.requests.map(({ input }) => input)));
	expect(none?.largest).toBeGreaterThan(BUDGET);
	expect(compaction?.largest).toBeLessThanOrEqual(BUDGET);
	for (const arm of [own, none, compaction]) expect(arm?.cumulative).toHaveLength(report.requests.length);
});

test("a session without usage, and one without an answer, are told as far as they go", () => {
	const bare = { id: "b", cwd: "/w", branch: [], messages: inOrder(user("go"), reply(says("done"))) };
	expect(reportSession(bare, settings)).toMatchObject({
		passes: [],
		costs: { arms: [] },
		model: "anthropic/test",
	});
	const empty = reportSession({ ...bare, messages: inOrder(user("go")) }, settings);
	expect(empty).toMatchObject({ requests: [], model: null });
	expect(formatSessionPage(empty, "now")).toContain("No request has been answered yet.");
});

test("the page holds every chart and table, asks for nothing from outside, and no name can break it", () => {
	const [first] = report.episodes;
	if (!first) throw new Error("no episode");
	const named = { ...first, name: "<script>alert(1)</script>" };
	const act = { ...first, id: "act", kind: "act" as const, dependencies: [first.id] };
	const page = formatSessionPage({ ...report, folder: "a & b", episodes: [named, act] }, "now");
	expectBalanced(page);
	expect(page.match(/<figure>/g)).toHaveLength(4);
	expect(page.match(/<h2>/g)?.length).toBeGreaterThanOrEqual(6);
	expect(page).not.toMatch(/https?:|<script|<link|<img|@import|\ssrc=/);
	expect(page).not.toMatch(/NaN|Infinity|undefined|null/);
	expect(page).toContain("a &amp; b");
	expect(page).toContain('class="edge"');
	expect(page.match(/class="mark"/g)?.length).toBeGreaterThanOrEqual(report.passes.length);
});

/** Elements that are opened and closed in their order. */
function expectBalanced(page: string) {
	const open: string[] = [];
	for (const [, slash, name = ""] of page.matchAll(/<(\/?)([a-zA-Z][\w]*)[^>]*>/g)) {
		if (["meta", "input", "br"].includes(name)) continue;
		if (slash === "") open.push(name);
		else expect(open.pop()).toBe(name);
	}
	expect(open).toEqual([]);
}
