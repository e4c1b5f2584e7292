import { beforeAll, describe, expect, test } from "vitest";
import { priceLists } from "../metrics/prices.ts";
import { formatSessionPage } from "../pages/session-page.ts";
import { writeLongSession } from "../test-support/long-session.ts";
import { manageSession } from "../test-support/managed-run.ts";
import { countQuarters, inOrder, reply, says, user } from "../test-support/messages.ts";
import { chartsOf, expectBalanced } from "../test-support/pages.ts";
import { reportSession, type SessionReport } from "./session-report.ts";

const BUDGET = 4_000;
const settings = {
	...{ budget: BUDGET, isAuto: false, count: countQuarters },
	...{ prices: priceLists.anthropic, unit: "units" },
};

let report: SessionReport;
beforeAll(() => {
	report = reportSession(manageSession(writeLongSession(40).messages, BUDGET), settings);
});

test("costs are those that the provider reported and of replays of the same steps", () => {
	const arms = new Map(report.costs.arms.map((arm) => [arm.kind, arm]));
	expect([...arms.keys()]).toEqual(["reported", "cwl", "compaction", "none"]);
	expect(arms.get("none")?.largest).toBeGreaterThan(BUDGET);
	expect(arms.get("cwl")?.largest).toBeLessThanOrEqual(BUDGET);
	expect(arms.get("compaction")?.largest).toBeLessThanOrEqual(BUDGET);
	for (const { cumulative, sizes } of arms.values()) {
		expect([cumulative.length, sizes.length]).toEqual([report.requests.length, report.requests.length]);
	}
});

describe("a session that another program compacted", () => {
	const { messages } = writeLongSession(40);
	const position = messages.findLastIndex(({ role }) => role === "user");
	const compactions = [{ position, firstKept: position - 2, summary: "what was done" }];
	const compacted = { id: "c", cwd: "/w", branch: [], messages, compactions };

	test("shows what was sent, and what cwl would have sent", () => {
		const { requests, compactions: rows, passes, costs } = reportSession(compacted, settings);
		const [row] = rows;
		const first = row?.request ?? 0;
		expect(passes).toEqual([]);
		expect(requests).toHaveLength(4 * 40);
		expect(requests[first - 1]?.ledger.total).toBe(row?.before);
		expect(requests[first]?.ledger.total).toBe(row?.after);
		expect(row?.after).toBeLessThan((row?.before ?? 0) / 10);
		const sent = costs.arms.find(({ kind }) => kind === "sent");
		expect(sent?.sizes[first - 1]).toBe(row?.before);
		const none = costs.arms.find(({ kind }) => kind === "none");
		expect(sent?.total).toBeLessThan(none?.total ?? 0);
	});

	test("is told as such, and never as one that stayed under its budget", () => {
		const made = reportSession(compacted, settings);
		expect(made.verdict).toMatch(/^cwl made no pass in this session: another program compacted it once/);
		const page = formatSessionPage(made, "now");
		expect(page).toContain("another program compacted this session");
		expect(page).not.toContain("stayed under its budget");
	});

	test("has health figures of what is sent now, and says which episodes the summary replaced", () => {
		const { health, episodes, requests } = reportSession(compacted, settings);
		expect(health.utilisation).toBeLessThan(2 * ((requests.at(-1)?.ledger.total ?? 0) / BUDGET));
		expect(episodes.some(({ isCompacted }) => isCompacted)).toBe(true);
		expect(episodes.at(-1)?.isCompacted).toBe(false);
	});
});

test("a session without usage, and one without an answer, are told as far as they go", () => {
	const bare = { id: "b", cwd: "/w", branch: [], messages: inOrder(user("go"), reply(says("done"))) };
	expect(reportSession(bare, settings)).toMatchObject({
		passes: [],
		verdict: expect.stringContaining("nothing had to be evicted"),
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
	expect(chartsOf(page)).toHaveLength(4);
	expect(page.match(/<h2>/g)?.length).toBeGreaterThanOrEqual(6);
	expect(page).not.toContain("<script>alert");
	expect(page).toContain("a &amp; b");
	const [context, , , graph] = chartsOf(page);
	expect(context?.marks).toHaveLength(report.passes.length);
	expect(graph?.links).toEqual([[0, 1]]);
});
