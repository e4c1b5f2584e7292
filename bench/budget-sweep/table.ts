/** The table of a sweep, as Markdown. */
import { markdownTable, type SweepRow } from "#lab";
import { formatTokens } from "#pi";
import type { SweepReport } from "./command.ts";

const TITLES = [
	"budget",
	"cost compared with no eviction",
	"sessions that cost more",
	"prefix breaks in 100 requests",
	"mean context",
	"edits kept, %",
	"across user turns, %",
	"thinking readable, %",
];

/** Ends with a newline. Costs and sessions stand in the order of the price lists. */
export function formatSweep({ sessions, priceLists, rows }: SweepReport): string {
	const head = `${sessions} sessions, requests from the first on whose whole history passes 80k tokens. Prices: ${priceLists.join(", ")}.`;
	return [head, "", ...markdownTable([TITLES, ...rows.map(cellsOf)]), ""].join("\n");
}

function cellsOf(row: SweepRow): readonly string[] {
	return [
		row.name,
		row.costs.map((cost) => cost.toFixed(3)).join(" / "),
		row.moreExpensive.join(" / "),
		row.breaks.toFixed(1),
		formatTokens(row.meanContext),
		percent(row.editsKept),
		percent(row.editsAcrossTurnsKept),
		percent(row.thinkingReadable),
	];
}

function percent(share: number | null): string {
	return share === null ? "-" : (100 * share).toFixed(1);
}
