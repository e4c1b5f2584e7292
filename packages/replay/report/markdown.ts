/** Tables that are Markdown and can be read as they stand. */

/** The first row is the head; the first column is set left, the others right. A line each. */
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
