/** A report as text for people. */
import type { Report } from "./report.ts";
import { describeRun, kilo, type TableText, tabulateReport } from "./report-tables.ts";
import { formatTrouble } from "./trouble.ts";

/** Two or three tables, each with what it cannot show, and what could not be replayed. Ends with a newline. */
export function formatReport(report: Report): string {
	const lines = report.sessions.replayed === 0 ? ["No session was replayed."] : formatFigures(report);
	return `${[...lines, ...formatTrouble(report)].join("\n")}\n`;
}

function formatFigures(report: Report): readonly string[] {
	const { advice } = report;
	return [
		...describeRun(report),
		...tabulateReport(report).flatMap((table) => ["", ...formatTable(table)]),
		...(advice ? ["", `Advice: ${advice.policy}, budget ${kilo(advice.budget)}: ${advice.reason}.`] : []),
	];
}

function formatTable({ title, head, rows, limits }: TableText): readonly string[] {
	const all = [head, ...rows];
	const widths = head.map((_, i) => Math.max(...all.map((row) => row[i]?.length ?? 0)));
	const lines = all.map((row) =>
		row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join("  "),
	);
	return [...title, ...lines, ...limits];
}
