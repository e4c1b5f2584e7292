/** Tables as text: in a terminal, in lines that are no wider than there is room for, and in Markdown. */

/** The cells of each column at one width, the first column set left, the others right. */
function padCells(rows: readonly (readonly string[])[], least: number): readonly (readonly string[])[] {
	const widths = (rows[0] ?? []).map((_, i) => Math.max(least, ...rows.map((row) => row[i]?.length ?? 0)));
	const pad = (text: string, width: number, i: number) =>
		i === 0 ? text.padEnd(width) : text.padStart(width);
	return rows.map((row) => widths.map((width, i) => pad(row[i] ?? "", width, i)));
}

const GAP = "  ";

/**
 * Rows of one table, the head first, as lines; the first column is set left. Columns beyond `width` characters are
 * continued below, with the first column again. A column alone may be wider: nothing is cut.
 */
export function layOutTable(rows: readonly (readonly string[])[], width: number): readonly string[] {
	const cells = padCells(rows, 0);
	const [first = 0, ...others] = (cells[0] ?? []).map(({ length }) => length);
	let columns = [0];
	const blocks = [columns];
	let used = first;
	for (const [i, wide] of others.entries()) {
		used += GAP.length + wide;
		if (used > width && columns.length > 1) {
			columns = [0];
			blocks.push(columns);
			used = first + GAP.length + wide;
		}
		columns.push(i + 1);
	}
	const write = (block: readonly number[]) =>
		cells.map((row) => {
			const line = block.map((i) => row[i]).join(GAP);
			return line.trimEnd();
		});
	return blocks.flatMap((block, i) => (i > 0 ? ["", ...write(block)] : write(block)));
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
	const cells = padCells(rows, 3);
	const rule = cells[0]?.map(({ length }, i) =>
		i === 0 ? "-".repeat(length + 2) : `${"-".repeat(length + 1)}:`,
	);
	const [head = "", ...rest] = cells.map((row) => `| ${row.join(" | ")} |`);
	return [head, `|${rule?.join("|")}|`, ...rest];
}
