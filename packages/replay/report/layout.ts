/** Tables and sentences as lines that are no wider than there is room for. */

const GAP = "  ";

/**
 * Rows of one table, the head first, as lines; the first column stands to the left. What is wider than `width`
 * characters goes on below, with the first column again. A column alone may be wider: nothing is cut.
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
