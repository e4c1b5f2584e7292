/** Tables and sentences as lines that are no wider than there is room for, and tables in Markdown. */
import type { Report } from "./report.ts";
import { describeRun, formatTrouble, tabulateReport } from "./tables.ts";

/** Longer lines of prose are hard to read, however wide the terminal is. In characters. */
const WIDEST_TEXT = 112;

/**
 * The verdict, the tables, each with what it cannot show, and what could not be replayed, for a terminal of `width`
 * characters; where there is none, tables are as wide as they are. Ends with a newline.
 */
export function formatReport(report: Report, width = Number.POSITIVE_INFINITY): string {
	const write = (text: string) => wrapText(text, Math.min(width, WIDEST_TEXT));
	const tables = tabulateReport(report).flatMap(({ title, head, rows, limits }) => {
		return ["", ...title.flatMap(write), ...layOutTable([head, ...rows], width), ...limits.flatMap(write)];
	});
	const figures = [...write(report.verdict), "", ...write(describeRun(report)), ...tables];
	const lines = report.sessions.replayed === 0 ? [report.verdict] : figures;
	return `${[...lines, ...formatTrouble(report)].join("\n")}\n`;
}

const GAP = "  ";

/**
 * Rows of one table, the head first, as lines; the first column is set left. Columns beyond `width` characters are
 * continued below, with the first column again. A column alone may be wider: nothing is cut.
 */
export function layOutTable(rows: readonly (readonly string[])[], width: number): readonly string[] {
	const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
	const [first = 0, ...others] = widths;
	const blocks: number[][] = [[]];
	let used = first;
	for (const [i, wide] of others.entries()) {
		used += GAP.length + wide;
		if (used > width && blocks.at(-1)?.length !== 0) {
			blocks.push([]);
			used = first + GAP.length + wide;
		}
		blocks.at(-1)?.push(i + 1);
	}
	const lineOf = (row: readonly string[], columns: readonly number[]) =>
		[(row[0] ?? "").padEnd(first), ...columns.map((i) => (row[i] ?? "").padStart(widths[i] ?? 0))].join(GAP);
	return blocks.flatMap((columns, block) => [
		...(block > 0 ? [""] : []),
		...rows.map((row) => lineOf(row, columns).trimEnd()),
	]);
}

/** A sentence as lines of at most `width` characters, broken at spaces; a longer word has a line of its own. */
export function wrapText(text: string, width: number): readonly string[] {
	const lines: string[] = [];
	for (const word of text.split(" ")) {
		const last = lines.at(-1);
		if (last !== undefined && last.length + 1 + word.length <= width)
			lines[lines.length - 1] = `${last} ${word}`;
		else lines.push(word);
	}
	return lines;
}

/**
 * A table in Markdown that can be read as it stands: the first row is the head; the first column is set left, the others
 * right. A line each.
 */
export function markdownTable(rows: readonly (readonly string[])[]): readonly string[] {
	const [head = [], ...rest] = rows;
	const widths = head.map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)));
	const cell = (text: string, column: number) =>
		column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0);
	const format = (row: readonly string[]) => `| ${row.map(cell).join(" | ")} |`;
	const rule = widths.map((width, column) =>
		column === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`,
	);
	return [format(head), `|${rule.join("|")}|`, ...rest.map(format)];
}
