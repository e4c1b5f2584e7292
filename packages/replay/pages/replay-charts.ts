/** The charts of a replay, each with what it shows and what it cannot show. */
import { type GroundingCount, totalGrounding } from "../metrics/grounding.ts";
import type { PolicyReport, Report } from "../report/report.ts";
import type { Run } from "../run/run.ts";
import type { SessionReplay } from "../run/session-replay.ts";
import { type DataSet, drawChart, figure } from "./chart.ts";
import { drawKey, type Series } from "./legend.ts";
import { element, type Markup } from "./markup.ts";
import { type Choice, paretoFront } from "./pareto-front.ts";
import { section } from "./section.ts";

/** Leaves out charts without data, and those that need a policy that was not replayed. */
export function drawCharts(report: Report, run: Run, series: readonly Series[]): readonly Markup[] {
	return [
		...drawFronts(report, series),
		...drawContexts(report, run, series),
		...drawSessions(report, run, series),
	];
}

interface Candidate extends Choice {
	readonly series: Series;
	readonly costInterval: Interval | undefined;
	readonly worthInterval: Interval | undefined;
	/** True if its requests stayed within the budget: only those are on the front. */
	readonly isWithinBudget: boolean;
}

/** Low and high. */
type Interval = readonly number[];

function drawFronts(report: Report, series: readonly Series[]): readonly Markup[] {
	const all = findCandidates(report, series, ({ grounding }) => totalGrounding(grounding));
	if (all.length < 2) return [];
	const across = findCandidates(report, series, ({ grounding: { editCross, pathCross } }) => ({
		needed: editCross.needed + pathCross.needed,
		kept: editCross.kept + pathCross.kept,
		recallable: 0,
	}));
	const isRatio = report.policies.every(({ versusPaper }) => versusPaper !== null);
	return section(
		"Cost and what stays in sight",
		explainFront(all),
		...figure(
			drawFront(all, isRatio, "needs of later steps still in the request"),
			...(all.some(({ costInterval, worthInterval }) => costInterval ?? worthInterval)
				? ["Crosses are 95 % intervals of the difference to paper, over sessions drawn again."]
				: []),
			"Text that is in the request is not always used; decisions and reasoning are not measured.",
		),
		...(across.length < 2
			? []
			: [
					element("h3", {}, "Across tasks only: edits and files last shown before the last user turn"),
					...figure(
						drawFront(across, isRatio, "needs across tasks still in the request"),
						"Few sessions hold many of these needs, and recorded agents that had lost something read it again:",
						"differences of a few points mean nothing.",
					),
				]),
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

function drawFront(candidates: readonly Candidate[], isRatio: boolean, worth: string): Markup {
	const front = paretoFront(candidates.filter(({ isWithinBudget }) => isWithinBudget));
	const title = isRatio ? "cost at Anthropic-like prices, paper = 1" : "cost in uncached input tokens";
	const unit = isRatio ? "ratio" : "tokens";
	const points = candidates.map(({ series, cost, worth: kept, isWithinBudget }): DataSet => {
		const price = isRatio ? `${cost.toFixed(2)} of paper's cost` : `costs ${Math.round(cost)} tokens`;
		return {
			...{ style: "points", color: series.color, group: series.policy, isLabeled: true },
			name: isWithinBudget ? series.policy : `${series.policy}*`,
			data: [[cost, kept, `${series.policy}: ${price}, ${(100 * kept).toFixed(1)} % kept`]],
		};
	});
	const intervals = candidates.map(({ series, cost, worth: kept, costInterval, worthInterval }): DataSet => {
		const across = costInterval ? costInterval.map((bound) => [bound, kept] as const) : [];
		const up = worthInterval ? worthInterval.map((bound) => [cost, bound] as const) : [];
		return {
			...{ name: `${series.policy} interval`, style: "interval", color: series.color, group: series.policy },
			data: [...across, [null, null], ...up],
		};
	});
	const steps: DataSet = {
		...{ name: "front", style: "front", color: "ink" },
		data: front.map(({ cost, worth: kept }) => [cost, kept]),
	};
	return drawChart({
		...{ summary: `${worth} by ${title}, for each policy`, hover: "point", height: 420 },
		x: { title, unit, isLog: true },
		y: { title: worth, unit: "percent" },
		sets: [...points, ...intervals, steps],
	});
}

function findCandidates(
	{ policies }: Report,
	series: readonly Series[],
	countOf: (policy: PolicyReport) => GroundingCount,
): readonly Candidate[] {
	const paper = policies.find(({ policy }) => policy === "paper");
	const base = paper && totalGrounding(paper.grounding);
	// A first message may be larger than the budget: no policy may evict it.
	const unavoidable = Math.min(...policies.flatMap(({ pressed }) => pressed?.overBudget ?? []));
	const paperShare = base ? base.kept / base.needed : 0;
	return policies.flatMap((policy, i) => {
		const own = series[i];
		const { needed, kept } = countOf(policy);
		const { pressed, versusPaper } = policy;
		if (!own || !pressed || needed === 0) return [];
		const cost = versusPaper?.cost.anthropic;
		const isAll = needed === totalGrounding(policy.grounding).needed;
		return {
			series: own,
			cost: cost?.value ?? pressed.cost.anthropic,
			worth: kept / needed,
			costInterval: readInterval(cost?.low, cost?.high, 0),
			worthInterval: isAll
				? readInterval(versusPaper?.needs?.low, versusPaper?.needs?.high, paperShare)?.map(clampShare)
				: undefined,
			isWithinBudget: pressed.overBudget <= unavoidable,
		};
	});
}

function clampShare(share: number): number {
	return Math.min(1, Math.max(0, share));
}

type Bound = number | null | undefined;

function readInterval(low: Bound, high: Bound, shift: number): Interval | undefined {
	if (low === null || low === undefined || high === null || high === undefined) return undefined;
	return low === high ? undefined : [shift + low, shift + high];
}

function drawContexts({ policies }: Report, { replays }: Run, series: readonly Series[]): readonly Markup[] {
	const charted = replays
		.filter(({ results }) => results.some(({ course }) => course.contexts.length > 1))
		.toSorted((a, b) => b.tokens - a.tokens);
	const [longest] = charted;
	if (!longest) return [];
	const budgets = [...new Set(policies.map(({ budget }) => budget))];
	return [
		...section(
			"Context over time",
			"Input tokens of each request of the longest sessions. A line falls where its policy evicts or summarizes.",
			...charted.flatMap((replay) => [
				element("h3", {}, replay.session),
				...figure([drawKey([BUDGET]), drawContext(replay, series, budgets)]),
			]),
		),
		...section(
			"Cache breaks",
			"Each stroke is a request that did not begin with the whole request before it, so that the provider reads the " +
				"rest anew. The longest session.",
			...figure(
				drawBreaks(longest, series),
				"What a break costs depends on how much it changed: see the cost, not the count.",
			),
		),
	];
}

const BUDGET = { name: "budget", color: "warn", sample: "dashed" } as const;

function drawContext(
	{ session, results }: SessionReplay,
	series: readonly Series[],
	budgets: readonly number[],
): Markup {
	const requests = Math.max(2, ...results.map(({ course }) => course.contexts.length));
	const lines = results.flatMap(({ course }, i): readonly DataSet[] => {
		const own = series[i];
		return own ? [{ name: own.policy, style: "line", color: own.color, data: course.contexts }] : [];
	});
	const limits = budgets.map((budget): DataSet => {
		const ends = [0, requests - 1].map((x) => [x, budget] as const);
		return { name: BUDGET.name, style: "limit", color: BUDGET.color, data: ends };
	});
	return drawChart({
		...{ summary: `Input tokens of each request of session ${session}, by policy`, hover: "request" },
		x: { title: "request", unit: "request" },
		y: { title: "input tokens", unit: "tokens" },
		sets: [...lines, ...limits],
	});
}

/** Pixels of a row, and of the axis under the rows. */
const [ROW, FOOT] = [22, 70];

function drawBreaks({ session, results }: SessionReplay, series: readonly Series[]): Markup {
	const names = results.map(({ course }, i) => `${series[i]?.policy} (${course.breaks.length})`);
	const sets = results.map(({ course }, row): DataSet => {
		const { policy = "", color = 0 } = series[row] ?? {};
		const data = course.breaks.map((request) => [request, row, `${policy}: request ${request}`] as const);
		return { name: policy, style: "strokes", color, data };
	});
	return drawChart({
		summary: `Requests of session ${session} that did not begin with the one before, by policy`,
		...{ hover: "point", height: FOOT + ROW * names.length, sets },
		x: { title: "request", unit: "request" },
		y: { title: "policy (breaks)", unit: "plain", names },
	});
}

function drawSessions({ policies }: Report, { replays }: Run, series: readonly Series[]): readonly Markup[] {
	const paper = policies.find(({ policy }) => policy === "paper");
	const sets = policies.flatMap((policy, i): readonly DataSet[] => {
		const own = series[i];
		if (!own || !paper || policy === paper) return [];
		const data = policy.bySession.flatMap(({ session, pressed }, place) => {
			const [tokens, reference] = [replays[place]?.tokens ?? 0, paper.bySession[place]?.pressed];
			if (!pressed || !reference || tokens === 0) return [];
			const cost = pressed.cost.anthropic / reference.cost.anthropic;
			return [[tokens, cost, `${own.policy}, ${session}: ${cost.toFixed(2)} of paper's cost`] as const];
		});
		return data.length > 0 ? [{ name: own.policy, style: "points", color: own.color, data }] : [];
	});
	if (sets.length === 0) return [];
	const lengths = sets.flatMap(({ data }) => data.map((point) => (typeof point === "number" ? 0 : point[0])));
	const ends = [Math.min(...lengths.map(Number)), Math.max(...lengths.map(Number))];
	const one: DataSet = { name: "paper", style: "limit", color: "warn", data: ends.map((x) => [x, 1]) };
	return section(
		"Session by session",
		"Each point is a session under a policy: its cost compared with paper, by its length. Below the dashed line is " +
			"cheaper. Only requests under pressure count.",
		...figure(
			drawChart({
				...{ summary: "Cost of each session compared with paper, by its length and policy", hover: "point" },
				x: { title: "tokens of the whole session", unit: "tokens", isLog: true },
				y: { title: "cost, paper = 1", unit: "ratio", isLog: true },
				sets: [...sets, one],
			}),
			"Short sessions have few requests under pressure, so their ratios vary widely.",
		),
	);
}
