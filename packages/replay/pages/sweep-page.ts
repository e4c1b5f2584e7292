/** The page of a budget sweep: what each setting costs and keeps. */
import type { TableText } from "../report/report-tables.ts";
import { type DataSet, drawChart, figure } from "./chart.ts";
import { formatDocument } from "./document.ts";
import { element, type Markup } from "./markup.ts";
import { section } from "./section.ts";
import { drawTable } from "./tables.ts";

/** One setting, over all sessions under pressure. Shares are from 0 to 1, and null without anything to count. */
export interface SweepRow {
	readonly name: string;
	/** Tokens. */
	readonly budget: number;
	/** Compared with no eviction, one for each price list. */
	readonly costs: readonly number[];
	/** Sessions that cost over 1.02 of no eviction, one count for each price list. */
	readonly moreExpensive: readonly number[];
	/** Prefix breaks in 100 requests. */
	readonly breaks: number;
	/** Tokens. */
	readonly meanContext: number;
	readonly maxContext: number;
	/** Edits whose old text is still in the request. */
	readonly editsKept: number | null;
	readonly editsAcrossTurnsKept: number | null;
	/** The same without the one session in which most are missed: one unusual session can hold half of all misses. */
	readonly withoutWorst: { readonly editsKept: number | null; readonly editsAcrossTurnsKept: number | null };
	/** Thinking of the session that the model can still read, over the requests of each row from its own first pass on. */
	readonly thinkingReadable: number | null;
	/** The same over all requests that count, which are the same for every row. */
	readonly thinkingReadableUnderPressure: number | null;
	readonly requestsWithStale: number;
}

/** The conclusions from the figures. */
export interface SweepText {
	readonly verdict: string;
	/** The sessions, requests and prices that count. */
	readonly scope: string;
	readonly table: TableText;
}

/** A page that loads nothing: the verdict, one chart for each price list, and the table. */
export function formatSweepPage(
	{ verdict, scope, table }: SweepText,
	priceLists: readonly string[],
	rows: readonly SweepRow[],
): string {
	return formatDocument(
		"Budget and low water",
		element("p", { class: "verdict" }, verdict.replaceAll("`", "")),
		element("p", { class: "stamp" }, scope),
		...priceLists.map((name, list) => drawCosts(name, list, rows)),
		section(
			"All settings",
			"Costs and sessions stand in the order of the prices above.",
			...drawTable(table),
		),
	);
}

function drawCosts(name: string, list: number, rows: readonly SweepRow[]): readonly Markup[] {
	// An automatic budget was replayed once for each price list, and counts at its own prices.
	const shown = rows.filter((row) => !row.name.startsWith("auto,") || row.name.endsWith(name));
	const sets = shown.flatMap(({ name: setting, costs, editsKept }, color): DataSet[] => {
		const cost = costs[list];
		if (cost === undefined || editsKept === null) return [];
		const hint = `${setting}: ${cost.toFixed(2)} of the cost without eviction, ${(100 * editsKept).toFixed(1)} % of edits kept`;
		return [
			{ ...{ name: setting, style: "points", color, isLabeled: true }, data: [[cost, editsKept, hint]] },
		];
	});
	return section(
		`Cache ${name}`,
		"Up and to the left is better: cheaper, and more of the text that later edits needed is still in the request.",
		...figure(
			drawChart({
				...{ summary: `edits kept by cost, cache ${name}`, hover: "point", height: 360, sets },
				x: { title: "cost, no eviction = 1", unit: "ratio" },
				y: { title: "edits whose text is still in the request", unit: "percent" },
			}),
		),
	);
}
