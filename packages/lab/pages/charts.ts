/** The charts of a report, each with what it shows and what it does not. */
import { type GroundingCount, totalGrounding } from "../metrics/grounding.ts";
import type { PolicyReport, Report } from "../report/report.ts";
import type { Run } from "../run/run.ts";
import { drawBreaks } from "./breaks-chart.ts";
import { drawContexts } from "./context-chart.ts";
import { element, type Markup } from "./markup.ts";
import { drawPareto, type ParetoPoint } from "./pareto-chart.ts";
import { figure, section } from "./section.ts";
import type { Series } from "./series.ts";
import { drawSessions, type SessionPoint } from "./sessions-chart.ts";

/** What no other policy is there to be measured by is left out, and so are charts without data. */
export function drawCharts(report: Report, run: Run, series: readonly Series[]): readonly Markup[] {
	return [
		...drawFronts(report, series),
		...drawCourses(report, run, series),
		...drawScatter(report, run, series),
	];
}

function drawFronts(report: Report, series: readonly Series[]): readonly Markup[] {
	const all = paretoPoints(report, series, ({ grounding }) => totalGrounding(grounding));
	if (all.length < 2) return [];
	const across = paretoPoints(report, series, ({ grounding: { editCross, pathCross } }) => ({
		needed: editCross.needed + pathCross.needed,
		kept: editCross.kept + pathCross.kept,
		recallable: 0,
	}));
	const isRatio = report.policies.every(({ versusPaper }) => versusPaper !== null);
	const cost = isRatio ? "cost at Anthropic-like prices, paper = 1" : "cost, million uncached input tokens";
	const costLabel = (value: number) => (isRatio ? value.toFixed(2) : (value / 1e6).toFixed(2));
	const words = { cost, costLabel };
	return section(
		"Cost against grounding",
		"Up and to the left is better. The line joins the policies that no other one beats among those that keep to the " +
			"budget; names with an asterisk do not keep to it. Requests under pressure only.",
		...figure(
			drawPareto(all, { ...words, worth: "needs of later steps still in the request" }),
			"Bars are 95 % intervals of the difference to paper, whole sessions drawn again. Being there is not being used;",
			"decisions and reasoning are not measured.",
		),
		...(across.length < 2
			? []
			: [
					element("h3", {}, "Across tasks only: edits and files last shown before the last user turn"),
					...figure(
						drawPareto(across, { ...words, worth: "needs across tasks still in the request" }),
						"Few sessions hold many of these needs, and recorded agents that had lost something read it again:",
						"differences of a few points mean nothing.",
					),
				]),
	);
}

function paretoPoints(
	{ policies }: Report,
	series: readonly Series[],
	countOf: (policy: PolicyReport) => GroundingCount,
): readonly ParetoPoint[] {
	const paper = policies.find(({ policy }) => policy === "paper");
	return policies.flatMap((policy, i) => {
		const own = series[i];
		const { needed, kept } = countOf(policy);
		const { pressed, versusPaper } = policy;
		if (!own || !pressed || needed === 0) return [];
		const estimate = versusPaper?.cost.anthropic;
		const isAll = needed === totalGrounding(policy.grounding).needed;
		const base = paper && totalGrounding(paper.grounding);
		const shift = base ? base.kept / base.needed : 0;
		return {
			series: own,
			cost: estimate?.value ?? pressed.cost.anthropic,
			worth: kept / needed,
			costInterval: interval(estimate?.low, estimate?.high, 0),
			worthInterval: isAll ? interval(versusPaper?.needs?.low, versusPaper?.needs?.high, shift) : undefined,
			isWithinBudget: pressed.overBudget === 0,
		};
	});
}

type Bound = number | null | undefined;

function interval(low: Bound, high: Bound, shift: number): readonly [number, number] | undefined {
	if (low === null || low === undefined || high === null || high === undefined) return undefined;
	return low === high ? undefined : [shift + low, shift + high];
}

function drawCourses({ policies }: Report, { replays }: Run, series: readonly Series[]): readonly Markup[] {
	const charted = replays
		.filter(({ results }) => results.some(({ course }) => course.contexts.length > 1))
		.toSorted((a, b) => b.tokens - a.tokens);
	const [longest] = charted;
	if (!longest) return [];
	const budgets = [...new Set(policies.map(({ budget }) => budget))];
	const contexts = charted.flatMap((replay) => [
		element("h3", {}, replay.session),
		element("figure", {}, drawContexts(replay, series, budgets)),
	]);
	return [
		...section(
			"Context over time",
			"Input tokens of each request of the longest sessions; each fall is a pass. The dashed line is the budget; what " +
				"leaves the chart at the top goes on growing.",
			...contexts,
		),
		...section(
			"Cache breaks",
			"Each stroke is a request that did not begin with the whole request before it, so that the provider reads the " +
				"rest anew; on the right, how many. The longest session.",
			...figure(drawBreaks(longest, series), "How much was lost at each is in the cost, not here."),
		),
	];
}

function drawScatter({ policies }: Report, { replays }: Run, series: readonly Series[]): readonly Markup[] {
	const paper = policies.find(({ policy }) => policy === "paper");
	if (!paper) return [];
	const points = policies.flatMap((policy, i): readonly SessionPoint[] => {
		const own = series[i];
		if (!own || policy === paper) return [];
		return policy.bySession.flatMap(({ session, pressed }, place) => {
			const [tokens, reference] = [replays[place]?.tokens ?? 0, paper.bySession[place]?.pressed];
			if (!pressed || !reference || tokens === 0) return [];
			return [{ series: own, session, tokens, cost: pressed.cost.anthropic / reference.cost.anthropic }];
		});
	});
	if (points.length === 0) return [];
	return section(
		"Session by session",
		"Each point is a session under a policy: what it costs at Anthropic-like prices beside paper, under pressure, " +
			"against how long it is. Below the dashed line is cheaper.",
		...figure(
			drawSessions(points, "paper"),
			"Short sessions have few requests under pressure: their ratios swing.",
		),
	);
}
