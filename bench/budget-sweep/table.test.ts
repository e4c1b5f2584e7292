import { expect, test } from "vitest";
import { formatSweepPage, type SweepRow } from "#lab";
import { chartsOf, expectBalanced } from "../../packages/lab/test-support/pages.ts";
import type { SweepReport } from "./command.ts";
import { describeSweep, formatSweep } from "./table.ts";

const priceLists = ["read .1", "read .05", "read .025"];

function row(name: string, budget: number, costs: readonly number[], editsKept: number): SweepRow {
	return {
		...{ name, budget, costs, editsKept, moreExpensive: [0, 1, 2], breaks: 1.5, meanContext: 80_000 },
		...{ withoutWorst: { editsKept: 0.99, editsAcrossTurnsKept: 0.9 } },
		...{ maxContext: 160_000, editsAcrossTurnsKept: null, requestsWithStale: 0 },
		...{ thinkingReadable: 0.25, thinkingReadableUnderPressure: 0.4 },
	};
}

const report: SweepReport = {
	sessions: 27,
	priceLists,
	rows: [
		row("none", 80_000, [1, 1, 1], 1),
		row("80k down to 28k", 80_000, [0.4, 0.5, 0.6], 0.9),
		row("120k down to 42k", 120_000, [0.55, 0.62, 0.72], 0.97),
		row("200k down to 100k", 200_000, [0.8, 0.85, 0.9], 1),
		row("auto, read .1", 160_000, [0.56, 0.6, 0.7], 0.98),
		row("auto, read .05", 160_000, [0.55, 0.63, 0.71], 0.98),
		row("auto, read .025", 160_000, [0.54, 0.62, 0.73], 0.98),
	],
};

test("the verdict takes each automatic budget at its own prices, and names the fixed one that costs about as much", () => {
	const [verdict = ""] = formatSweep(report).split("\n");
	expect(verdict).toContain("27 long sessions cost 44 % / 37 % / 27 % less than without eviction");
	expect(verdict).toContain("120k down to 42k, the fixed budget closest in cost");
	expect(verdict).toContain("The largest budget, 200k down to 100k");
	expect(verdict).not.toContain("NaN");
});

test("a sweep without an automatic budget says so", () => {
	const fixed = { ...report, rows: report.rows.filter(({ name }) => !name.startsWith("auto")) };
	expect(formatSweep(fixed)).toMatch(/^No automatic budget/);
});

test("the page has a chart for each price list, in which an automatic budget stands once, and every row in its table", () => {
	const page = formatSweepPage(describeSweep(report), priceLists, report.rows);
	expectBalanced(page);
	const charts = chartsOf(page);
	expect(charts).toHaveLength(3);
	for (const [list, { sets }] of charts.entries()) {
		expect(sets.filter(({ name }) => name.startsWith("auto")).map(({ name }) => name)).toEqual([
			`auto, ${priceLists[list]}`,
		]);
		expect(sets).toHaveLength(5);
	}
	for (const { name } of report.rows) expect(page).toContain(`<td>${name}</td>`);
});
