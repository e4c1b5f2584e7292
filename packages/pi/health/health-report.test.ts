import { expect, test } from "vitest";
import { measureHealth } from "#core/health";
import { viewOfLog } from "#core/log";
import { planInput } from "../../core/test-support/simulation.ts";
import * as say from "../test-support/host-messages.ts";
import { open, under } from "../test-support/host-runs.ts";
import { measureFidelity } from "./fidelity.ts";
import { describeHealth, type HealthReport, reportHealth } from "./health-report.ts";

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
	const input = planInput(graph, view, { budget: 200, fixed: { system: 0, tools: 0 } });
	return reportHealth(measureHealth(input, log), measureFidelity({ messages, graph }, view));
}

test("what was evicted and read again is plain data: which call, which file, which pass", () => {
	const report = healthOf();
	expect(report.regret.calls).toEqual([
		{ tool: "read", path: "src/limits.ts", tokens: expect.any(Number), pass: 1, times: 1 },
	]);
	expect(report.regret.passes[0]?.regretted).toBe(report.regret.calls[0]?.tokens);
	expect(JSON.parse(JSON.stringify(report))).toEqual(report);
});

test("each metric is one row of words", () => {
	const rows = describeHealth(healthOf());
	expect(rows.map(({ metric }) => metric)).toEqual([
		...[
			"utilisation",
			"eviction",
			"compression",
			"burn rate",
			"tool results",
			"in sight",
			"recallable",
			"thinking",
			"regret",
		],
	]);
	expect(rows.at(-1)?.detail).toMatch(/tokens in 1 call$/);
	// It was read again, so all of it is in sight.
	const shown = (name: string) => rows.find(({ metric }) => metric === name)?.value;
	expect(shown("in sight")).toBe("100 %");
	expect(shown("recallable")).toBe("-");
});

test("thinking that cannot be read was taken with its episodes, or was bound to what a pass changed", () => {
	const thinking = { all: 656, readable: 85, forfeited: 15 };
	const row = describeHealth({ ...healthOf(), thinking }).find(({ metric }) => metric === "thinking");
	expect(row?.value).toBe("13 %");
	expect(row?.detail).toBe(
		"of 656 tokens of thinking can be read; passes took 556, and 15 that were bound to what they changed",
	);
});

test("a session in which nothing happened is whole", () => {
	const input = planInput(open().inspect([]).graph, viewOfLog([]), {
		budget: 0,
		fixed: { system: 0, tools: 0 },
	});
	const rows = describeHealth(reportHealth(measureHealth(input, []), { facts: 0, visible: 0, named: 0 }));
	expect(rows.map(({ value }) => value)).toEqual([
		"0 %",
		"0 %",
		"1.0:1",
		"0",
		"0 %",
		"100 %",
		"-",
		"-",
		"0 %",
	]);
});

test("costs are in dollars where the model has prices, and stand beside those of the alternatives", () => {
	const costs = { unit: "dollars at the prices of a/b", cwl: 1.234, compaction: 2, none: 3.5, requests: 41 };
	const row = (health: HealthReport) => describeHealth(health).find(({ metric }) => metric === "cost");
	expect(row({ ...healthOf(), costs })).toMatchObject({
		value: "$1.23",
		detail:
			"in a replay of 41 requests; pi's compaction $2.00, no eviction $3.50 (dollars at the prices of a/b)",
	});
	const relative = {
		unit: "uncached input tokens",
		cwl: 12_000,
		compaction: 20_000,
		none: 35_000,
		requests: 1,
	};
	expect(row({ ...healthOf(), costs: relative })).toMatchObject({ value: "12k" });
	expect(row(healthOf())).toBeUndefined();
});
