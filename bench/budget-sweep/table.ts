/** A sweep in words and as a table. */
import { markdownTable, type SweepRow, type SweepText } from "#lab";
import { formatTokens } from "#pi";
import type { ResultsFile } from "../results-file.ts";
import type { SweepReport } from "./command.ts";

const TITLES = [
	"budget",
	"cost compared with no eviction",
	"sessions that cost more",
	"prefix breaks in 100 requests",
	"mean context",
	"edits kept, %",
	"across user turns, %",
	"the same two without the worst session, %",
	"thinking readable, %",
	"the same from the row's own first pass on, %",
];

/** As Markdown. Ends with a newline. */
export function formatSweep(report: SweepReport): string {
	const { verdict, scope, table } = describeSweep(report);
	return [verdict, "", scope, "", ...markdownTable([table.head, ...table.rows]), ""].join("\n");
}

/** docs/budget-sweep.md: the same, with the run that it is from. */
export function formatSweepDoc(report: SweepReport, { command, date, commit, machine }: Made): string {
	const made = `${date}, commit ${commit}, ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}`;
	return [
		"# What budget and low water cost at today's prices",
		"",
		`Made by \`${command}\` (${made}). In all sessions the boundaries of episodes are inferred. \`--kept --html FILE\` makes the page with the charts.`,
		"",
		formatSweep(report),
		"![Edits kept by cost, one chart for each price of a cache read](budget-sweep.png)",
		"",
	].join("\n");
}

type Made = Omit<ResultsFile, "version" | "figures">;

/** Costs and sessions stand in the order of the price lists. */
export function describeSweep(report: SweepReport): SweepText {
	const { sessions, priceLists, rows } = report;
	return {
		verdict: judge(report),
		scope: `${sessions} sessions, requests from the first on whose whole history passes 80k tokens. The worst session is the one in which most edits are missed. Prices: ${priceLists.join(", ")}.`,
		table: { head: TITLES, rows: rows.map(cellsOf), title: [], limits: [] },
	};
}

/** The conclusions from the figures, in at most three sentences. */
function judge({ sessions, rows }: SweepReport): string {
	// An automatic budget was replayed once for each price list, and counts at its own prices.
	const auto = rows.filter(({ name }) => name.startsWith("auto,"));
	const [first] = auto;
	if (!first) return "No automatic budget was among the settings.";
	const costs = auto.map(({ costs }, list) => costs[list] ?? Number.NaN);
	const dearer = auto.map(({ moreExpensive }, list) => moreExpensive[list] ?? 0);
	const saved = costs.map((cost) => `${(100 * (1 - cost)).toFixed(0)} %`);
	const kept = (row: SweepRow) =>
		`${percent(row.editsKept)} % of the text that later edits needed (${percent(row.editsAcrossTurnsKept)} % across user turns)`;
	const fixed = rows.filter((row) => row.budget > 0 && !row.name.startsWith("auto") && row.name !== "none");
	const near = closest(fixed, costs);
	const large = fixed.at(-1);
	return [
		`With \`auto\`, ${sessions} long sessions cost ${saved.join(" / ")} less than without eviction, and ${dearer.join(" / ")} of them cost more.`,
		`It keeps ${kept(first)}${near ? `; ${near.name}, the fixed budget closest in cost, keeps ${kept(near)}` : ""}.`,
		...(large
			? [`The largest budget, ${large.name}, keeps ${kept(large)} and saves ${savings(large)}.`]
			: []),
	].join(" ");
}

function closest(rows: readonly SweepRow[], costs: readonly number[]): SweepRow | undefined {
	const distance = (row: SweepRow) =>
		costs.reduce((sum, cost, list) => sum + Math.abs(cost - (row.costs[list] ?? 0)), 0);
	return rows.toSorted((a, b) => distance(a) - distance(b))[0];
}

function savings({ costs }: SweepRow): string {
	return costs.map((cost) => `${(100 * (1 - cost)).toFixed(0)} %`).join(" / ");
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
		`${percent(row.withoutWorst.editsKept)} / ${percent(row.withoutWorst.editsAcrossTurnsKept)}`,
		percent(row.thinkingReadableUnderPressure),
		percent(row.thinkingReadable),
	];
}

function percent(share: number | null): string {
	return share === null ? "-" : (100 * share).toFixed(1);
}
