/** The charts of a session's report. */
import { countOf, formatTokens } from "#pi";
import type { CostArm } from "../session-report/costs.ts";
import type { RequestRow, SessionReport } from "../session-report/session-report.ts";
import { type DataSet, drawChart, figure, type Unit } from "./chart.ts";
import { drawKey, type LegendEntry } from "./legend.ts";
import type { Markup } from "./markup.ts";
import { section } from "./section.ts";
import { drawTable } from "./tables.ts";

/** The components of a request, from the bottom of the chart up. */
const COMPONENTS: readonly (readonly [string, number, (row: RequestRow) => number])[] = [
	["system prompt and tools", 0, ({ ledger }) => ledger.system + ledger.tools],
	["prologue", 7, ({ ledger }) => ledger.prologue],
	["your messages", 1, ({ ledger }) => ledger.user],
	["exploration (expl)", 3, ({ ledger }) => ledger.expl],
	["action (act)", 2, ({ ledger }) => ledger.act],
	["unmarked", 5, ({ ledger }) => ledger.unannotated],
	["lines for evicted episodes", 4, ({ ledger }) => ledger.markers],
];

const request = { title: "request", unit: "request" } as const;

export function drawContext(report: SessionReport): readonly Markup[] {
	const { requests, budget, passes, costs } = report;
	const layers = COMPONENTS.flatMap(([name, color, of]): readonly DataSet[] => {
		const data = requests.map(of);
		return data.some((value) => value > 0) ? [{ name, style: "area", color, data }] : [];
	});
	const cwl = passes.length === 0 ? costs.arms.find(({ kind }) => kind === "cwl") : undefined;
	const would: readonly DataSet[] = cwl
		? [{ name: "what cwl would have sent", style: "line", color: "ink", data: cwl.sizes }]
		: [];
	const ends = [0, Math.max(1, requests.length - 1)].map((x) => [x, budget] as const);
	const limit: DataSet = {
		...{ name: `budget, ${formatTokens(budget)}`, style: "limit", color: "warn", data: ends },
	};
	const sets = [...layers, ...would, limit];
	return section(
		"Context over time",
		"The tokens of each request, as it was sent. A dotted line is a pass of cwl, or a compaction by another program.",
		...figure([
			drawKey(sets.map(legendOf)),
			drawChart({
				...{ summary: "Tokens of each request by component, with passes and compactions", hover: "request" },
				...{ x: request, y: { title: "tokens", unit: "tokens" }, sets, marks: marksOf(report) },
			}),
		]),
	);
}

function legendOf({ name, color, style }: DataSet): LegendEntry {
	return { name, color, sample: style === "area" ? "area" : style === "limit" ? "dashed" : "line" };
}

function marksOf({ passes, compactions }: SessionReport) {
	const marks = passes.map(({ number, request: x, before, after, isManual, isUndone }) => ({
		x,
		text: `pass ${number}${isManual ? " (by command)" : ""}: ${formatTokens(before)} to ${formatTokens(after)} tokens${isUndone ? ", undone later" : ""}`,
	}));
	const others = compactions.map(({ request: x, before, after }) => ({
		x,
		text: `compacted by another program${before === null || after === null ? "" : `: ${formatTokens(before)} to ${formatTokens(after)} tokens`}`,
	}));
	return [...marks, ...others].flatMap(({ x, text }) => (x === null ? [] : [{ x, text }]));
}

/** Of what the request before had sent, less than this was read from the cache: a break. */
const WARM_SHARE = 0.5;
/** Shorter requests are not cached; in tokens. */
const MIN_CACHED = 2_048;

export function drawCache({ requests, compactions }: SessionReport): readonly Markup[] {
	if (requests.every(({ input }) => input === 0)) return [];
	const sets: readonly DataSet[] = [
		{
			...{ name: "read from the cache", style: "area", color: 2 },
			data: requests.map(({ cached }) => cached),
		},
		{
			...{ name: "sent anew", style: "area", color: 1 },
			data: requests.map(({ input, cached }) => Math.max(0, input - cached)),
		},
	];
	const compacted = new Set(compactions.map(({ request: x }) => x));
	const marks = requests.flatMap(({ cached, passes }, x) => {
		const before = requests[x - 1];
		if (!before || before.input < MIN_CACHED || cached >= WARM_SHARE * before.input) return [];
		const isPass = passes > before.passes;
		const cause = compacted.has(x) ? "a compaction" : isPass ? "a pass" : undefined;
		return [
			{
				x,
				text: cause ? `${cause} cut the prefix` : "the provider had dropped the cache, or a setting changed",
			},
		];
	});
	return section(
		"Cache",
		`Input of each request as the provider reported it. ${countOf(marks.length, "request")} (dotted) read less than half of the previous one from the cache. Requests after one of fewer than ${formatTokens(MIN_CACHED)} tokens do not count: providers do not cache these.`,
		...figure([
			drawKey(sets.map(legendOf)),
			drawChart({
				...{ summary: "Input tokens of each request, cached and not", hover: "request", marks },
				...{ x: request, y: { title: "input tokens", unit: "tokens" }, sets },
			}),
		]),
	);
}

const ARM_COLORS: Readonly<Record<CostArm["kind"], number>> = {
	...{ reported: 1, sent: 4, cwl: 2, compaction: 3, none: 0 },
};

export function drawCosts({ costs: { unit, arms } }: SessionReport): readonly Markup[] {
	if (arms.length === 0) return [];
	const isMoney = unit.startsWith("dollars");
	const kind: Unit = isMoney ? "dollars" : "tokens";
	const label = (value: number) => (isMoney ? `$${value.toFixed(value < 1 ? 3 : 2)}` : formatTokens(value));
	const sets = arms.map(
		(arm): DataSet => ({ name: arm.name, style: "line", color: ARM_COLORS[arm.kind], data: arm.cumulative }),
	);
	const rows = arms.map(({ name, total, largest }) => [name, label(total), formatTokens(largest)]);
	const limits = [
		"The provider's figures are in its own tokens and know when its cache expired. All others are the same steps,",
		"counted by us, with a cache that never expires: compare them with each other. A request larger than the model's",
		"window is priced all the same.",
	];
	return section(
		"Cost",
		`What all requests up to each one cost, in ${unit}.`,
		...figure([
			drawKey(sets.map(legendOf)),
			drawChart({
				...{ summary: "Cost up to each request, as it went and in replays", hover: "request" },
				...{ x: request, y: { title: isMoney ? "dollars" : unit, unit: kind }, sets },
			}),
		]),
		drawTable({ title: [], head: ["", "cost", "largest request"], rows, limits }),
	);
}
