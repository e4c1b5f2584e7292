/** Tables of Markdown pages, for tests that compare a page with the figures it was made of. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The rows of the first table under a heading, its column titles first, without the rule below them. */
export function tableUnder(page: string, heading: string): readonly (readonly string[])[] {
	const lines = page.slice(page.indexOf(`\n${heading}\n`)).split("\n");
	const first = lines.findIndex((line) => line.startsWith("|"));
	const rest = lines.slice(first);
	const end = rest.findIndex((line) => !line.startsWith("|"));
	const rows = rest.slice(0, end).map((line) =>
		line
			.split("|")
			.slice(1, -1)
			.map((cell) => cell.trim()),
	);
	return rows.filter((_, at) => at !== 1);
}

/** Some columns of a table, by their titles. */
export function columnsOf(
	[head = [], ...rows]: readonly (readonly string[])[],
	titles: readonly string[],
): readonly (readonly string[])[] {
	const places = titles.map((title) => head.indexOf(title));
	return [titles, ...rows.map((row) => places.map((at) => row[at] ?? ""))];
}

/** docs/results.md, which shows columns of the tables that the programs of this folder print. */
export function readResultsPage(): Promise<string> {
	return readFile(join(import.meta.dirname, "../../docs/results.md"), "utf8");
}
