/** The tables of a report as HTML. */
import type { TableText } from "../report/report-tables.ts";
import { element, type Markup } from "./markup.ts";

/** The text under a table belongs to it: it says what the figures cannot show. */
export function drawTable({ head, rows, limits }: TableText): readonly Markup[] {
	const cells = (name: string, row: readonly string[]) => row.map((cell) => element(name, {}, cell));
	const table = element(
		"table",
		{},
		element("thead", {}, element("tr", {}, cells("th", head))),
		element(
			"tbody",
			{},
			rows.map((row) => element("tr", {}, cells("td", row))),
		),
	);
	return [element("div", { class: "scroll" }, table), element("p", { class: "limits" }, limits.join(" "))];
}
