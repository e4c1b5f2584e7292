/** The charts of a session's report: context, cache and cost over its requests. */
import { countOf, formatTokens, sum } from "#basics";
import { showTokens } from "#pi/screen";
import { compareTo } from "../report/verdict.ts";
import { type CostArm, formatCost } from "../session-report/costs.ts";
import type { SessionReport } from "../session-report/session-report.ts";
import { type DataSet, drawChart, limitLines, requestAxis } from "./chart.ts";
import { drawTable, type Markup, section } from "./document.ts";

/** The components of a request, from the bottom of the chart up. */
const COMPONENTS: readonly (readonly [string, number, (row: SessionReport["requests"][number]) => number])[] =
	[
		["system prompt and tools", 0, ({ ledger }) => ledger.system + ledger.tools],
		["prologue", 7, ({ ledger }) => ledger.prologue],
		["your messages", 1, ({ ledger }) => ledger.user],
		["exploration (expl)", 3, ({ ledger }) => ledger.expl],
		["action (act)", 2, ({ ledger }) => ledger.act],
		["unmarked", 5, ({ ledger }) => ledger.unannotated],
		["lines for evicted episodes", 4, ({ ledger }) => ledger.markers],
	];

export function drawContext(report: SessionReport): readonly Markup[] {
	const { requests, budget, passes, costs, scale } = report;
	const layers = COMPONENTS.flatMap(([name, color, of]): readonly DataSet[] => {
		const data = requests.map(of);
		return data.some((value) => value > 0) ? [{ name, style: "area", color, data }] : [];
	});
	const cwl = passes.length === 0 ? costs.arms.find(({ kind }) => kind === "cwl") : undefined;
	const would: readonly DataSet[] = cwl
		? [{ name: "what cwl would have sent", style: "line", color: "ink", data: cwl.sizes }]
		: [];
	const isOne = passes.every((pass) => formatTokens(pass.budget) === formatTokens(budget));
	const name = isOne ? "budget" : "budget at the end";
	const limit = limitLines(`${name}: ${formatTokens(budget)}`, [budget], requests.length);
	const sets = [...layers, ...would, limit];
	return section(
		"Context over time",
		"The tokens of each request, as it was sent. A dotted line is a pass of cwl, a compaction, or cwl switched on or off.",
		drawChart({
			summary: "Tokens of each request by component, with passes and compactions",
			hover: "request",
			x: requestAxis,
			y: { title: scale ? "input tokens" : "input tokens, counted with o200k", unit: "tokens" },
			sets,
			marks: marksOf(report),
		}),
	);
}

/** The lines of the chart, whose requests count from 0. */
function marksOf({ requests, passes, compactions }: SessionReport) {
	const marks = passes.map((pass) => {
		const { number, request, before, after, isKnown, sent, policy, isManual, isUndone } = pass;
		const size = `${showTokens(before, isKnown)} to ${showTokens(sent ?? after, isKnown)} tokens`;
		const text = `pass ${number}${isManual ? ` (${policy})` : ""}: ${size}${isUndone ? ", undone later" : ""}`;
		return { request, text };
	});
	const others = compactions.map(({ request, before, after }) => ({
		request,
		text: `compacted${before === null || after === null ? "" : `: ${formatTokens(before)} to ${formatTokens(after)} tokens`}`,
	}));
	const switches = requests.flatMap(({ isManaged }, x) => {
		const before = requests[x - 1]?.isManaged ?? true;
		return isManaged === before
			? []
			: [{ request: x + 1, text: `cwl was switched ${isManaged ? "on" : "off"}` }];
	});
	return [...marks, ...others, ...switches].flatMap(({ request, text }) =>
		request === null ? [] : [{ x: request - 1, text }],
	);
}

/** Of what the request before had sent, less than this was read from the cache: a break. */
const WARM_SHARE = 0.5;
/** Shorter requests are not cached; in tokens. */
const MIN_CACHED = 2_048;

export function drawCache({ requests, compactions, scale }: SessionReport): readonly Markup[] {
	if (requests.every(({ input }) => input === 0)) return [];
	const again = requests.map(({ rewritten }) => rewritten);
	const isNew = requests.map(({ input, cached, rewritten }) => input - cached - rewritten);
	const sets: readonly DataSet[] = [
		{ name: "read from the cache", style: "area", color: 2, data: requests.map(({ cached }) => cached) },
		{ name: "new", style: "area", color: 3, data: isNew },
		{ name: "sent again", style: "area", color: 1, data: again },
	];
	const compacted = new Set(compactions.map(({ request }) => request));
	const marks = requests.flatMap(({ cached, passes }, x) => {
		const before = requests[x - 1];
		if (!before || before.input < MIN_CACHED || cached >= WARM_SHARE * before.input) return [];
		if (compacted.has(x + 1)) return [{ x, text: "a compaction cut the prefix" }];
		if (passes > before.passes) return [{ x, text: "a pass cut the prefix" }];
		return [{ x, text: "the provider had dropped the cache, or a setting changed" }];
	});
	const text =
		`Input of each request as the provider reported it. ${formatTokens(sum(again))} tokens were sent again: an earlier request had ` +
		`sent them, and they did not come from the cache. ${countOf(marks.length, "request")} (dotted) read less than half of the ` +
		`previous one from the cache. Requests after one of fewer than ${formatTokens(MIN_CACHED)} tokens do not count: ` +
		"providers do not cache these.";
	return section(
		"Cache",
		text,
		drawChart({
			summary: "Input tokens of each request, cached and not",
			hover: "request",
			marks,
			x: requestAxis,
			y: { title: scale ? "input tokens" : "input tokens, as the provider counted", unit: "tokens" },
			sets,
		}),
	);
}

const ARM_COLORS: Readonly<Record<CostArm["kind"], number>> = {
	session: 1,
	reported: 4,
	cwl: 2,
	compaction: 3,
	none: 0,
};

export function drawCosts({ costs: { unit, otherCalls, arms } }: SessionReport): readonly Markup[] {
	if (arms.length === 0) return [];
	const sets = arms.map(
		(arm): DataSet => ({ name: arm.name, style: "line", color: ARM_COLORS[arm.kind], data: arm.cumulative }),
	);
	const [session] = arms;
	const rows = arms.map(({ kind, name, total, largest, summaries }) => [
		name,
		formatCost(total),
		kind === "session" || !session ? "" : compareTo(session.total, total),
		formatTokens(largest),
		summaries.count === 0
			? "none"
			: `${countOf(summaries.count, "call")} for about ${formatCost(summaries.cost)}`,
	]);
	const calls = countOf(otherCalls.count, "call");
	const elsewhere =
		otherCalls.elsewhere > 0
			? `: ${formatCost(otherCalls.elsewhere)} on other branches, a compaction there as estimated if pi recorded no usage of it; the rest`
			: ",";
	const limits = [
		...(otherCalls.count > 0
			? [
					`Each row has the ${formatCost(otherCalls.cost)} of ${calls} more${elsewhere} for answers that failed and calls of pi itself.`,
				]
			: []),
		"this session: its cost compared with the row. summaries: the model calls of compactions, which are part of the cost; a turn that is cut in two has one of its own.",
		"A replay repeats the same steps, charged as the provider charged this session, and without its cache where it had lost that. A request larger than the model's window is priced all the same.",
	];
	return section(
		"Cost",
		`What all requests up to each one cost, in ${unit}.`,
		drawChart({
			summary: "Cost up to each request, as it went and in replays",
			hover: "request",
			x: requestAxis,
			y: { title: "dollars", unit: "dollars" },
			sets,
		}),
		drawTable(["", "cost", "this session", "largest request", "summaries"], rows, limits),
	);
}
