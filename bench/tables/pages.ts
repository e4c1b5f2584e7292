/** Tables of README.md and docs/results.md (`tables.json`). Each is behind a comment such as `<!-- table: hard -->`. */
import { markdownTable } from "#replay/report";
import type { Kept } from "./kept.ts";
import TABLES from "./tables.json" with { type: "json" };
import { fillFigures, hasFigures, renderFigures } from "./text.ts";

/** A row, or one for each row of a kept file. */
interface TableRows {
	/** Texts with figures, such as `{hard:cwl-80k.cost:dollars}`. */
	readonly cells: readonly string[];
	/** The kept file; `*` in the cells is the name of its row, `{name}` what a reader sees of it, and a figure that is not kept is left out. */
	readonly each?: string;
	/** A pattern whose group a reader sees of the name. */
	readonly name?: string;
	/** A pattern of rows that are left out: the text says how many tasks these solve. */
	readonly unless?: string;
}

interface Table {
	/** The kept files, the first of which says when and how the table was made. */
	readonly files: readonly string[];
	readonly head: readonly string[];
	readonly rows: readonly TableRows[];
}

export const pages: Readonly<Record<string, Readonly<Record<string, Table>>>> = TABLES;

/** Head and body. */
export const tableRows = (kept: Kept, { head, rows }: Table): readonly (readonly string[])[] => [
	head,
	...rows.flatMap((row) => fillRows(kept, row)),
];

function fillRows(kept: Kept, { each, cells, name = "(.*)", unless }: TableRows) {
	if (each === undefined) return [cells.map((cell) => fillFigures(kept, cell))];
	const names = Object.keys(kept.get(each)?.rows ?? {});
	const shown = names.filter((row) => unless === undefined || !new RegExp(unless).test(row));
	return shown.map((row) => {
		const [, seen = row] = new RegExp(name).exec(row) ?? [];
		const own = cells.map((cell) => cell.replaceAll("*", row).replace("{name}", seen));
		return own.map((cell) => (hasFigures(kept, cell) ? fillFigures(kept, cell) : ""));
	});
}

/** A page with its tables and its figures in prose made from the kept files. A table that another engine made says so. */
export function renderPage(
	page: string,
	tables: Readonly<Record<string, Table>>,
	kept: Kept,
	engine: string,
) {
	let text = renderFigures(kept, page);
	for (const [name, table] of Object.entries(tables)) {
		const block = new RegExp(`<!-- table: ${name} -->\n\n\\|[\\s\\S]*?\n\n.*\n`);
		if (!block.test(text))
			throw new RangeError(`no place for the table ${name}: write <!-- table: ${name} -->.`);
		const lines = [...markdownTable(tableRows(kept, table)), "", describeSource(kept, table, engine)];
		text = text.replace(block, () => `<!-- table: ${name} -->\n\n${lines.join("\n")}\n`);
	}
	return text;
}
/** Says which files a table is made of, by which command, when, and what of it an earlier engine made. */
function describeSource(kept: Kept, { files }: Table, engine: string): string {
	const made = files.map((name) => {
		const file = kept.get(name);
		if (!file) throw new RangeError(`there is no kept file ${name}.`);
		// Rows of other extensions alone do not depend on this engine.
		const isOld = file.engine !== engine && Object.keys(file.rows).some((row) => !row.startsWith("pi-"));
		return `${file.date}, commit ${file.commit}${isOld ? " (engine changed since)" : ""}`;
	});
	const names = files.map((name) => `\`${name}.json\``).join(", ");
	return `${names}: ${[...new Set(made)].join("; ")}.`;
}
