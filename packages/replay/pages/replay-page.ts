/** The report as one page that needs nothing else: figures as tables, and charts of them. */
import { countOf } from "#pi/screen/figures.ts";
import { totalGrounding } from "../metrics/grounding.ts";
import { type PolicyReport, type Report, shareOf } from "../report/report.ts";
import { describeRun, formatTrouble, kilo, tabulateReport } from "../report/tables.ts";
import type { SessionReplay } from "../run/jobs.ts";
import type { Run } from "../run/run.ts";
import { type DataSet, drawChart } from "./chart.ts";
import {
	countTile,
	drawTable,
	drawTiles,
	element,
	formatDocument,
	type Markup,
	section,
} from "./document.ts";

/** `stamp` says when, with which versions and on what machine the figures were made. */
export function formatPage(report: Report, run: Run, stamp: string): string {
	const { policies, advice, sessions, verdict } = report;
	const series = createSeries(
		policies.map(({ policy }) => policy),
		advice?.policy,
	);
	const figures =
		sessions.replayed === 0
			? []
			: [
					drawSummary(report),
					...drawFront(report, series),
					...drawContexts(report, run, series),
					...drawTables(report),
				];
	return formatDocument(
		"Context policies on recorded sessions",
		element("p", { class: "verdict" }, verdict),
		element("p", { class: "stamp" }, `${describeRun(report)}. ${stamp}`),
		figures,
		drawTrouble(report),
		element("footer", {}, element("p", {}, FOOTER)),
	);
}

const FOOTER =
	"Figures are of a replay: recorded steps never change, so what an agent with less in its context would have done " +
	"otherwise is in none of them. docs/replay.md defines each figure and says what it cannot show.";

interface Series {
	readonly policy: string;
	/** True if it is shown by default. */
	readonly isShown: boolean;
	/** The number of its color; beyond the eighth, shapes and dashes tell equal colors apart. */
	readonly color: number;
}

/** More lines than this cannot be told apart. */
const MAX_SHOWN = 8;
/** Shown first where they were replayed, and first to choose a color. */
const WANTED = "none paper cwl cwl@auto compaction recency cwl-economy cwl-quality".split(" ");

/** `advised` is the policy that the page is about, which is shown in any case. */
function createSeries(policies: readonly string[], advised?: string): readonly Series[] {
	const rank = (policy: string) => {
		if (policy === advised) return -1;
		const place = WANTED.indexOf(policy);
		return place < 0 ? WANTED.length : place;
	};
	const order = policies.toSorted((a, b) => rank(a) - rank(b));
	return policies.map((policy) => {
		const color = order.indexOf(policy);
		return { policy, color, isShown: color < MAX_SHOWN };
	});
}

function drawSummary({ sessions, policies, budget }: Report): Markup {
	const [first] = policies;
	const needs = first ? totalGrounding(first.grounding).needed : 0;
	return drawTiles([
		countTile(sessions.replayed, ["session", "sessions"], " replayed"),
		countTile(sessions.pressed, ["of them outgrows", "of them outgrow"], ` ${kilo(budget)} tokens`),
		[(first?.requests ?? 0).toLocaleString("en"), "requests for each policy"],
		[needs.toLocaleString("en"), "needs of later steps under pressure"],
		countTile(policies.length, ["policy", "policies"], " compared"),
	]);
}

function drawTables(report: Report): readonly Markup[] {
	const titles = ["All requests", "Under pressure"];
	return tabulateReport(report).flatMap((table, i) => [
		element("h2", {}, titles[i] ?? ""),
		...table.title.map((line) => element("p", {}, line)),
		...drawTable(table.head, table.rows, table),
	]);
}

function drawTrouble(report: Report): readonly Markup[] {
	const lines = formatTrouble(report).filter((line) => line !== "");
	if (lines.length === 0) return [];
	return [element("h2", {}, "What went wrong"), ...lines.map((line) => element("p", {}, line.trim()))];
}

/** A policy in the chart of cost and content. */
interface Candidate {
	readonly series: Series;
	readonly cost: number;
	/** The share of needs that it keeps. */
	readonly kept: number;
	/** True if its requests stayed within the budget: only those are on the front. */
	readonly isWithinBudget: boolean;
}

/** Left out with fewer than two policies to compare. */
function drawFront(report: Report, series: readonly Series[]): readonly Markup[] {
	const candidates = findCandidates(report, series);
	if (candidates.length < 2) return [];
	const isRatio = report.policies.every(({ costComparedToNone }) => costComparedToNone !== null);
	const worth = "needs of later steps still in the request";
	const title = isRatio ? "cost, no eviction = 1" : "cost in uncached input tokens";
	const points = candidates.map(
		({ series: { policy, color, isShown }, cost, kept, isWithinBudget }): DataSet => {
			const price = isRatio
				? `${cost.toFixed(2)} of the cost of no eviction`
				: `costs ${Math.round(cost)} tokens`;
			return {
				...{ style: "points", color, isHidden: !isShown, isLabeled: true },
				name: isWithinBudget ? policy : `${policy}*`,
				data: [[cost, kept, `${policy}: ${price}, ${(100 * kept).toFixed(1)} % kept`]],
			};
		},
	);
	const steps: DataSet = {
		...{ name: "front", style: "front", color: "ink" },
		data: unbeaten(candidates).map(({ cost, kept }) => [cost, kept]),
	};
	return section(
		"Cost and what stays in the context",
		explainFront(candidates),
		...drawChart(
			{
				...{ summary: `${worth} by ${title}, for each policy`, hover: "point", height: 460 },
				x: { title, unit: isRatio ? "ratio" : "tokens", isLog: true },
				y: { title: worth, unit: "percent" },
				sets: [...points, steps],
			},
			"Text that is in the request is not always used; decisions and reasoning are not measured.",
		),
	);
}

/** Explains what this chart shows, and nothing that it does not. */
function explainFront(candidates: readonly Candidate[]): string {
	const hidden = candidates.some(({ series }) => !series.isShown) ? ", hidden ones included" : "";
	const over = candidates.some(({ isWithinBudget }) => !isWithinBudget)
		? " A policy with a * sends requests over the budget that others avoid, and is not on that line."
		: "";
	return (
		"Up and to the left is better: cheaper, and more of what later steps needed is still in the request. The dashed " +
		`line joins the policies that no other one beats${hidden}.${over} Only requests under pressure count.`
	);
}

/** The policies that no other one beats: cheaper and no worse, or better and no dearer. Cheapest first. */
function unbeaten(candidates: readonly Candidate[]): readonly Candidate[] {
	const front: Candidate[] = [];
	const within = candidates.filter(({ isWithinBudget }) => isWithinBudget);
	for (const candidate of within.toSorted((a, b) => a.cost - b.cost || b.kept - a.kept)) {
		if (candidate.kept > (front.at(-1)?.kept ?? Number.NEGATIVE_INFINITY)) front.push(candidate);
	}
	return front;
}

function findCandidates({ policies }: Report, series: readonly Series[]): readonly Candidate[] {
	// A first message may be larger than the budget: no policy may evict it.
	const unavoidable = Math.min(...policies.flatMap(({ pressed }) => pressed?.overBudget ?? []));
	return policies.flatMap(({ grounding, pressed, costComparedToNone }: PolicyReport, i) => {
		const own = series[i];
		const count = totalGrounding(grounding);
		if (!own || !pressed || count.needed === 0) return [];
		return {
			series: own,
			cost: costComparedToNone ?? pressed.cost.anthropic,
			kept: shareOf(count),
			isWithinBudget: pressed.overBudget <= unavoidable,
		};
	});
}

/** Sessions whose requests are drawn. */
const MAX_CHARTED = 3;

function drawContexts({ policies }: Report, { replays }: Run, series: readonly Series[]): readonly Markup[] {
	const charted = replays
		.filter(({ results }) => results.some(({ contexts }) => contexts.length > 1))
		.toSorted((a, b) => b.tokens - a.tokens)
		.slice(0, MAX_CHARTED);
	if (charted.length === 0) return [];
	const budgets = [...new Set(policies.map(({ budget }) => budget))];
	return section(
		"Context over time",
		`Input tokens of each request of the ${countOf(charted.length, "longest session")}. A line falls where its policy evicts or summarizes.`,
		...charted.flatMap((replay) => [
			element("h3", {}, replay.session),
			...drawContext(replay, series, budgets),
		]),
	);
}

function drawContext(
	{ session, results }: SessionReplay,
	series: readonly Series[],
	budgets: readonly number[],
): readonly Markup[] {
	const requests = Math.max(2, ...results.map(({ contexts }) => contexts.length));
	const lines = results.flatMap(({ contexts }, i): readonly DataSet[] => {
		const own = series[i];
		return own
			? [{ name: own.policy, style: "line", color: own.color, isHidden: !own.isShown, data: contexts }]
			: [];
	});
	const limits = budgets.map((budget): DataSet => {
		const ends = [0, requests - 1].map((x) => [x, budget] as const);
		return { name: "budget", style: "limit", color: "warn", data: ends };
	});
	return drawChart({
		...{ summary: `Input tokens of each request of session ${session}, by policy`, hover: "request" },
		x: { title: "request", unit: "request" },
		y: { title: "input tokens", unit: "tokens" },
		sets: [...lines, ...limits],
	});
}
