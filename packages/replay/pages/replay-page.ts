/** The report as one page that needs nothing else: figures as tables, and charts of them. */
import { totalGrounding } from "../metrics/grounding.ts";
import type { Report } from "../report/report.ts";
import { describeRun, kilo, tabulateReport } from "../report/report-tables.ts";
import { formatTrouble } from "../report/trouble.ts";
import type { Run } from "../run/run.ts";
import { formatDocument } from "./document.ts";
import { createSeries, drawLegend } from "./legend.ts";
import { element, type Markup } from "./markup.ts";
import { drawCharts } from "./replay-charts.ts";
import { drawTileList } from "./section.ts";
import { drawTable } from "./tables.ts";

/** `stamp` says when, with which versions and on what machine the figures were made. */
export function formatPage(report: Report, run: Run, stamp: string): string {
	const series = createSeries(
		report.policies.map(({ policy }) => policy),
		report.advice?.policy,
	);
	const figures =
		report.sessions.replayed === 0
			? []
			: [drawTiles(report), drawLegend(series), ...drawCharts(report, run, series), ...drawTables(report)];
	return formatDocument(
		"Context policies on recorded sessions",
		element("p", { class: "verdict" }, report.verdict),
		element("p", { class: "stamp" }, [...describeRun(report), stamp].join(". ")),
		figures,
		drawTrouble(report),
		element("footer", {}, element("p", {}, FOOTER)),
	);
}

const FOOTER =
	"Figures are of a replay: recorded steps never change, so what an agent with less in sight would have done otherwise " +
	"is in none of them. docs/replay.md defines each figure and says what it cannot show.";

function drawTiles({ sessions, policies, budget }: Report): Markup {
	const [first] = policies;
	const needs = first ? totalGrounding(first.grounding).needed : 0;
	const tiles: readonly (readonly [string, string])[] = [
		[String(sessions.replayed), `${sessions.replayed === 1 ? "session" : "sessions"} replayed`],
		[
			String(sessions.pressed),
			`of them ${sessions.pressed === 1 ? "outgrows" : "outgrow"} ${kilo(budget)} tokens`,
		],
		[(first?.requests ?? 0).toLocaleString("en"), "requests for each policy"],
		[needs.toLocaleString("en"), "needs of later steps under pressure"],
		[String(policies.length), `${policies.length === 1 ? "policy" : "policies"} compared`],
	];
	return drawTileList(tiles);
}

function drawTables(report: Report): readonly Markup[] {
	const titles = ["All requests", "Under pressure", "Compared with paper"];
	return tabulateReport(report).flatMap((table, i) => [
		element("h2", {}, titles[i] ?? ""),
		...table.title.map((line) => element("p", {}, line)),
		...drawTable(table),
	]);
}

function drawTrouble(report: Report): readonly Markup[] {
	const lines = formatTrouble(report).filter((line) => line !== "");
	if (lines.length === 0) return [];
	return [element("h2", {}, "What went wrong"), ...lines.map((line) => element("p", {}, line.trim()))];
}
