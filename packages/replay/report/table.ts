/** A report as text for people. */

import { layOutTable, wrapText } from "./layout.ts";
import type { Report } from "./report.ts";
import { describeRun, type TableText, tabulateReport } from "./report-tables.ts";
import { formatTrouble } from "./trouble.ts";

/** Longer lines of prose are hard to read, however wide the terminal is. In characters. */
const WIDEST_TEXT = 112;

/**
 * The verdict, up to three tables, each with what it cannot show, and what could not be replayed, for a terminal of `width`
 * characters; where there is none, tables are as wide as they are. Ends with a newline.
 */
export function formatReport(report: Report, width = Number.POSITIVE_INFINITY): string {
	const lines = report.sessions.replayed === 0 ? [report.verdict] : formatFigures(report, width);
	return `${[...lines, ...formatTrouble(report)].join("\n")}\n`;
}

function formatFigures(report: Report, width: number): readonly string[] {
	const write = (text: string) => wrapText(text, Math.min(width, WIDEST_TEXT));
	return [
		...write(report.verdict),
		"",
		...describeRun(report).flatMap(write),
		...tabulateReport(report).flatMap((table) => ["", ...formatTable(table, width, write)]),
	];
}

function formatTable(
	{ title, head, rows, limits }: TableText,
	width: number,
	write: (text: string) => readonly string[],
): readonly string[] {
	return [...title.flatMap(write), ...layOutTable([head, ...rows], width), ...limits.flatMap(write)];
}
