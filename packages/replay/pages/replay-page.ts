/** The report as one page that needs nothing else: figures as tables, and charts of them. */
import { countOf, formatTokens, percent } from "#basics";
import { totalGrounding } from "../metrics/grounding.ts";
import { shareOf } from "../report/figures.ts";
import type { Report } from "../report/report.ts";
import { describeRun, formatTrouble, tabulateReport } from "../report/tables.ts";
import type { Run } from "../run/run.ts";
import { type DataSet, drawChart, limitLines, requestAxis } from "./chart.ts";
import { drawTable, element, formatDocument, type Markup, section } from "./document.ts";

/** `stamp` says when, with which versions and on what machine the figures were made. */
export function formatPage(report: Report, run: Run, stamp: string): string {
	const series = createSeries(report);
	const figures =
		report.sessions.replayed === 0
			? []
			: [...drawCosts(report, series), ...drawContexts(report, run, series), ...drawTables(report)];
	return formatDocument(
		"Context policies on recorded sessions",
		element("p", { class: "verdict" }, report.verdict),
		element("p", { class: "stamp" }, `${describeRun(report)}. ${stamp}`),
		figures,
		drawTrouble(report),
		element("footer", {}, element("p", {}, FOOTER)),
	);
}

const FOOTER =
	"Figures are of a replay: recorded steps never change, so what an agent with less in its context would have done " +
	"otherwise is in none of them. docs/replay.md defines each figure and says what it cannot show.";

/** More lines than this cannot be told apart. */
const MAX_SHOWN = 8;
/** Shown first where they were replayed, and first to choose a color. */
const WANTED = "none paper cwl cwl@auto compaction cwl-economy cwl-quality".split(" ");

type Series = ReturnType<typeof createSeries>;

/**
 * How each policy is drawn: beyond the eighth color, shapes and dashes tell equal ones apart. The advised policy, which
 * the page is about, is shown in any case.
 */
function createSeries({ policies, advice }: Report) {
	const names = policies.map(({ policy }) => policy);
	const rank = (name: string) => {
		if (name === advice?.policy) return -1;
		const place = WANTED.indexOf(name);
		return place < 0 ? WANTED.length : place;
	};
	const order = names.toSorted((a, b) => rank(a) - rank(b));
	return names.map((name) => {
		const color = order.indexOf(name);
		const isAdvised = name === advice?.policy;
		return {
			name: isAdvised ? `${name} (recommended)` : name,
			color,
			isHidden: color >= MAX_SHOWN,
			isAdvised,
		};
	});
}

function drawTables(report: Report): readonly Markup[] {
	const titles = ["All requests", "Under pressure"];
	return tabulateReport(report).flatMap((table, i) => [
		element("h2", {}, titles[i] ?? ""),
		...table.title.map((line) => element("p", {}, line)),
		...drawTable(table.head, table.rows, table.limits),
	]);
}

function drawTrouble(report: Report): readonly Markup[] {
	const lines = formatTrouble(report).filter((line) => line !== "");
	if (lines.length === 0) return [];
	return [element("h2", {}, "What went wrong"), ...lines.map((line) => element("p", {}, line.trim()))];
}

/** Left out with fewer than two policies to compare. */
function drawCosts({ policies }: Report, series: Series): readonly Markup[] {
	const isRatio = policies.every(({ costComparedToNone }) => costComparedToNone !== null);
	const points = series.flatMap(({ name, ...look }, i): readonly DataSet[] => {
		const { grounding, pressed, costComparedToNone } = policies[i] ?? {};
		const count = grounding && totalGrounding(grounding);
		if (!pressed || !count?.needed) return [];
		const cost = costComparedToNone ?? pressed.cost.anthropic;
		const kept = shareOf(count);
		const price = isRatio
			? `${cost.toFixed(2)} of the cost of no eviction`
			: `costs ${Math.round(cost)} tokens`;
		const hint = `${name}: ${price}, ${percent(kept)} kept`;
		return [{ name, style: "points", ...look, data: [[cost, kept, hint]] }];
	});
	if (points.length < 2) return [];
	const worth = "needs of later steps still in the request";
	const title = isRatio ? "cost, no eviction = 1" : "cost in uncached input tokens";
	return section(
		"Cost and what stays in the context",
		"Up and to the left is better: cheaper, and more of what later steps needed is still in the request. Only requests under pressure count.",
		drawChart({
			summary: `${worth} by ${title}, for each policy`,
			hover: "point",
			height: 460,
			x: { title, unit: isRatio ? "ratio" : "tokens" },
			y: { title: worth, unit: "percent" },
			sets: points,
		}),
	);
}

/** Sessions whose requests are drawn. */
const MAX_CHARTED = 3;

function drawContexts({ policies }: Report, { replays }: Run, series: Series): readonly Markup[] {
	const charted = replays
		.filter(({ results }) => results.some(({ contexts }) => contexts.length > 1))
		.toSorted((a, b) => b.tokens - a.tokens)
		.slice(0, MAX_CHARTED);
	if (charted.length === 0) return [];
	const budgets = [...new Set(policies.map(({ budget }) => budget))];
	return section(
		"Context over time",
		`Input tokens of each request${charted.length < replays.length ? ` of the ${countOf(charted.length, "longest session")}` : ""}. A line falls where its policy evicts or summarizes.`,
		...charted.flatMap(({ session, results }) => {
			const requests = Math.max(...results.map(({ contexts }) => contexts.length));
			const lines = series.map(({ name, ...look }, i): DataSet => {
				return { name, style: "line", ...look, data: results[i]?.contexts ?? [] };
			});
			const largest = Math.max(...results.flatMap(({ contexts }) => contexts));
			// A line far above all requests would only make them small.
			const near = budgets.filter((budget) => budget <= largest).toSorted((a, b) => a - b);
			const title = `${near.length === 1 ? "budget" : "budgets"}: ${near.map(formatTokens).join(", ")}`;
			const limits = near.length === 0 ? [] : [limitLines(title, near, requests)];
			const chart = drawChart({
				summary: `Input tokens of each request of session ${session}, by policy`,
				hover: "request",
				x: requestAxis,
				y: { title: "input tokens", unit: "tokens" },
				sets: [...lines, ...limits],
			});
			return [element("h3", {}, session), chart];
		}),
	);
}
