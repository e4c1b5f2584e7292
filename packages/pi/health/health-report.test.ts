import { expect, test } from "vitest";
import { measureComponentStates, measureHealth } from "#core/health";
import { budgetComponents, uncalibrated } from "#core/ledger";
import { planInput } from "../../core/test-support/simulation.ts";
import { createSizes } from "../screen/sizes.ts";
import * as say from "../test-support/host-messages.ts";
import { open, under } from "../test-support/host-runs.ts";
import { measureFidelity } from "./fidelity.ts";
import { describeHealth, describeTurns, type HealthReport, reportHealth } from "./health-report.ts";
import { measureSecondLooks } from "./second-looks.ts";

const lines = `${"const MAX_ITEMS = 4096;\n".repeat(40)}`;
const messages = say.inOrder(
	say.user("which limits?"),
	say.reply([say.calls("r", "read", { path: "src/limits.ts" })]),
	say.result("r", [say.words(lines)]),
	say.reply([say.says("Many.")]),
	say.user("and now?"),
	say.reply([say.calls("again", "read", { path: "src/limits.ts" })]),
	say.result("again", [say.words(lines)]),
	say.reply([say.says("As many.")]),
);

function healthOf(): HealthReport {
	const session = open();
	session.request(messages.slice(0, 5), under(200));
	session.sync(messages);
	const { log } = session.state();
	const { graph, view } = session.inspect(messages);
	const input = planInput(graph, { budget: 200 }, view);
	const health = measureHealth(input, log);
	const sizes = createSizes({ ...uncalibrated, samples: 1, factor: 2 });
	const looks = measureSecondLooks({
		// The first pass of the branch was taken back.
		log: log.map((pass, at) => ({ ...pass, number: at + 2 })),
		regrets: health.regrets,
		kept: new Map([[2, { tokens: 600, worth: 60, prices: undefined, calls: new Set(["again"]) }]]),
		sizes,
		prices: undefined,
	});
	return reportHealth({
		health,
		looks,
		fidelity: measureFidelity({ messages, graph }, view),
		sizes,
		used: 100,
		budget: 200,
		components: measureComponentStates(input, {}),
	});
}

test("what was evicted and read again is plain data: which call, which file, the number of the pass", () => {
	const report = healthOf();
	expect(report.regret.calls).toEqual([
		{ tool: "read", path: "src/limits.ts", tokens: expect.any(Number), pass: 2, times: 1 },
	]);
	expect(report.regret.passes.map(({ pass }) => pass)).toEqual([2]);
	expect(report.regret.again).toBe(report.regret.calls[0]?.tokens);
	expect(JSON.parse(JSON.stringify(report))).toEqual(report);
});

test("the six components are reported without a limit, and which grows fastest", () => {
	const { components, fastest } = healthOf();
	expect(components.map(({ component, hard }) => [component, hard])).toEqual(
		budgetComponents.map((name) => [name, null]),
	);
	expect(fastest).toBe("toolResults");
	expect(describeHealth(healthOf())).toContainEqual({
		metric: "toolResults",
		value: expect.stringMatching(/^[\d.]+k?$/),
		detail: expect.stringMatching(
			/^tokens, [\d.]+k? more a request, alone fills the budget with the next request, grows fastest$/,
		),
	});
});

/** The rows with so many facts of evicted outputs, of which so many are in the next request and in named episodes. */
function rowsWith(facts: number, visible: number, named: number, isCompacted = false) {
	const { fidelity, ...health } = healthOf();
	return describeHealth({ ...health, fidelity: { ...fidelity, facts, visible, named, isCompacted } });
}

test("each metric is one row of words", () => {
	const rows = rowsWith(10, 4, 5);
	expect(rows.map(({ metric }) => metric)).toEqual([
		...["utilisation", "eviction", "compression", "burn rate", "tool results", "in sight"],
		...["recallable", "thinking", "regret", ...budgetComponents],
	]);
	expect(rows.find(({ metric }) => metric === "recallable")?.detail).toBe(
		"of these facts have left, but the next request names their episode, so the model can recall them",
	);
	expect(rows.find(({ metric }) => metric === "regret")?.detail).toMatch(
		/^tokens read again for nothing, of \S+ that 1 call read again; passes kept 600 out of later requests$/,
	);
});

test("a share of no facts has no row", () => {
	const sharesOf = (facts: number, visible: number, named: number) =>
		rowsWith(facts, visible, named)
			.filter(({ metric }) => metric === "in sight" || metric === "recallable")
			.map(({ value }) => value);
	expect(sharesOf(10, 4, 5)).toEqual(["40 %", "50 %"]);
	expect(sharesOf(10, 10, 0)).toEqual(["100 %"]);
	expect(sharesOf(0, 0, 0)).toEqual([]);
});

test("one fact is in sight, and several are; growth has no row before the first request since a compaction", () => {
	const said = (facts: number) =>
		rowsWith(facts, facts, 0).find(({ metric }) => metric === "in sight")?.detail;
	expect(said(1)).toBe("of 1 fact of evicted outputs that the model used is still in the next request");
	expect(said(2)).toContain("of 2 facts of evicted outputs that the model used are still");
	const health = healthOf();
	const rows = describeHealth({ ...health, burn: { recent: null, before: null, isSpike: false } });
	expect(rows.some(({ metric }) => metric === "burn rate")).toBe(false);
});

test("after a compaction, facts are counted without those that it summarized, whenever their outputs left", () => {
	expect(rowsWith(10, 4, 5, true).find(({ metric }) => metric === "in sight")?.detail).toMatch(
		/^of \d+ facts of evicted outputs that the model used, apart from those that the last compaction summarized, are still in the next request$/,
	);
});

test("the size of thinking is an estimate where another model has sealed some of it", () => {
	const rowOf = (isOwn: boolean) => {
		const thinking = { isOwn, all: 400, readable: 100, evicted: 200, forfeited: 100 };
		const rows = describeHealth({ ...healthOf(), isKnown: true, thinking });
		return rows.find(({ metric }) => metric === "thinking")?.detail;
	};
	expect(rowOf(true)).toMatch(/^of 400 tokens of thinking are sent; passes evicted 200, and 100 left /);
	expect(rowOf(false)).toMatch(/^of ~400 tokens of thinking are sent; passes evicted ~200, and ~100 left /);
});

test("a session with marks shows how much of the work they hold, and what they contradict", () => {
	const marks = { episodes: 3, share: 0.75, open: 1 };
	const faults = { actsWithoutDependencies: 2, explsThatEdit: 1, actsThatOnlyRead: 0 };
	const rows = describeHealth({ ...healthOf(), marks: { ...marks, ...faults } });
	expect(rows.find(({ metric }) => metric === "marks")).toMatchObject({
		value: "75 %",
		detail:
			"of all work so far is in 3 marked episodes: 1 open, 2 acts without dependencies, 1 expl with edits, 0 acts that only read",
	});
	expect(describeHealth(healthOf()).some(({ metric }) => metric === "marks")).toBe(false);
});

test("turns are described by the last of them, and by their trend from five on", () => {
	const turn = (at: number) => ({
		utilization: at / 100,
		evictionRate: 1,
		compressionRatio: 2,
		burnRate: 1_000 + 100 * at,
		inSight: 1,
		retained: 1,
		bloat: 0.25,
	});
	const last =
		"last request: window 5 %, items evicted a request 1, compression 2, burn rate 1500, in sight 100 %, tool results 25 %";
	expect(describeTurns([])).toEqual([]);
	expect(describeTurns([turn(5)])).toEqual([last]);
	expect(describeTurns([1, 2, 3, 4, 5].map(turn))).toEqual([
		last,
		"rising over 5 requests and their passes: window +4 %, items evicted a request +0, compression +0, burn rate +400, tool results +0 %",
	]);
});
