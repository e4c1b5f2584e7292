/**
 * The sections of the panel next to the episodes: how full the context is and of what, alerts and metrics, and the
 * timeline of passes.
 */

import { PREFIX_CHANGED } from "#core/planning";
import type { AlertGrade } from "../health/alert.ts";
import { describeHealth, type HealthRow } from "../health/health-report.ts";
import { describeSession, type StateReport } from "../health/state-report.ts";
import { countOf, formatTokens, percent } from "./figures.ts";
import {
	flow,
	type Line,
	oneLine,
	type Span,
	span,
	spread,
	type Tone,
	widthOfLine,
	wrap,
} from "./terminal-text.ts";

type ComponentView = ReturnType<typeof componentsOf>[number];

/** No two share a color, and none has the color of a warning. */
const tones = {
	system: "dim",
	tools: "blue",
	prologue: "plain",
	user: "magenta",
	expl: "cyan",
	act: "green",
	unannotated: "yellow",
	markers: "violet",
} as const satisfies Partial<Record<keyof StateReport["ledger"], Tone>>;
const components = Object.keys(tones) as readonly (keyof typeof tones)[];

/** Components with anything in them, in the tokens of the provider like all of the panel. */
function componentsOf({ ledger, limits, pressure }: StateReport) {
	return components.flatMap((name) => {
		const tokens = (ledger[name] * pressure.used) / Math.max(1, ledger.total);
		if (tokens <= 0) return [];
		// The share of the budget above which an alert names it; the other components of the panel have none of their own.
		const limit = name === "system" || name === "tools" ? limits[name] : undefined;
		return [{ name, tokens, share: tokens / pressure.budget, limit, tone: tones[name] }];
	});
}

/** The share, and the limit where it is passed. */
function shareOf({ share, limit = 1 }: ComponentView): Span {
	return share > limit
		? span(`${percent(share, "%")} of ${percent(limit, "%")}!`, "orange")
		: span(percent(share, "%"));
}

/** Used and budget, and how long it will last. */
export function usageLine({ pressure, nextPass, scale, settings }: StateReport, width: number): Line {
	const { used, budget, level, zone, velocity, source } = pressure;
	const about = source === "estimated" ? "~" : "";
	const left = [
		span(`${about}${formatTokens(used)}`, zone),
		span(` of ${formatTokens(budget)} tokens `),
		span(percent(level, "%"), zone),
	];
	const growth = velocity > 0 ? [[span(`+${formatTokens(velocity)} a request`, "dim")]] : [];
	const wait = nextPass.dueIn > 0 ? `in ${formatTokens(scale * nextPass.dueIn)}` : "is due";
	const due = settings.enabled === "true" ? `next pass ${wait}` : "no pass while off";
	const outlook = [...growth, [span(due, "dim")]];
	const fitting = outlook.filter(
		(_, index) =>
			widthOfLine(left) + outlook.slice(index).reduce((sum, piece) => sum + widthOfLine(piece) + 3, 0) <=
			width,
	);
	return spread(left, flow(fitting, width, " · ")[0] ?? [], width);
}

/** The sentence that `/cwl plan` and `/cwl settings` have too; where it does not fit, without its reason, then without low water. */
export function reasonLine({ budgetReason }: StateReport, width: number): Line {
	const shorter = [/: [^:]*$/, /, evict down to .*$/].map((end) => `budget ${budgetReason.replace(end, "")}`);
	return [span(oneLine([`budget ${budgetReason}`, ...shorter], width), "dim")];
}

/** One bar of `width` columns that is the budget, stacked by component; where the zones end is seen by what is left. */
export function stackLine(report: StateReport, width: number): Line {
	const spans: Span[] = [];
	let filled = 0;
	let upTo = 0;
	for (const { share, tone } of componentsOf(report)) {
		upTo += share;
		const end = Math.min(width, Math.round(upTo * width));
		if (end > filled) spans.push(span("█".repeat(end - filled), tone));
		filled = Math.max(filled, end);
	}
	return filled < width ? [...spans, span("░".repeat(width - filled), "dim")] : spans;
}

/** The legend of the bar's colors, with figures, over as many lines as it takes. */
export function legendLines(report: StateReport, width: number): readonly Line[] {
	const pieces = componentsOf(report).map((component) => [
		span("■ ", component.tone),
		span(`${component.name} `, "dim"),
		span(`${formatTokens(component.tokens)} `),
		shareOf(component),
	]);
	return flow(pieces, width, "  ");
}

/** A row for each component, with a bar of its own and its limit. */
export function componentRows(report: StateReport, width: number): readonly Line[] {
	const shown = componentsOf(report);
	const longest = Math.max(...shown.map(({ name }) => name.length), 0);
	const cells = Math.max(4, width - longest - 28);
	return shown.map((component) => {
		const { name, tokens, share, limit = 1, tone } = component;
		const isOver = share > limit;
		return [
			span(`${name.padEnd(longest)}  `, "dim"),
			...bar(share, cells, isOver ? "orange" : tone),
			span(formatTokens(tokens).padStart(7)),
			span(percent(share, "%").padStart(6), isOver ? "orange" : "plain"),
			span(limit < 1 ? ` of ${percent(limit, "%").padStart(3)}${isOver ? "!" : ""}` : "", "dim"),
		];
	});
}

/** A share of a whole as `cells` columns; what is more than nothing is seen. */
function bar(share: number, cells: number, tone: Tone): Line {
	const filled = Math.min(cells, share > 0 ? Math.max(1, Math.round(share * cells)) : 0);
	return [span("█".repeat(filled), tone), span("░".repeat(cells - filled), "dim")];
}

const grades: Readonly<Record<AlertGrade, Tone>> = { critical: "red", warning: "orange", notice: "yellow" };

/** The open alerts, the gravest first, and their remedies as far as `room` lines hold them; without the quiet ones. */
export function alertRows({ alerts: all }: StateReport, width: number, room: number): readonly Line[] {
	const alerts = all.filter(({ isQuiet }) => !isQuiet);
	const rows = alerts.flatMap(({ grade, text, remedy }) => [
		...mark(`${grade}: ${text}`, grades[grade], width),
		...wrap(remedy, width - 2, 2, "dim").map((line) => [span("  "), ...line]),
	]);
	if (rows.length <= room) return rows;
	const short = alerts.map(({ grade, text }): Line => [span("● ", grades[grade]), span(`${grade}: ${text}`)]);
	if (short.length <= room) return short;
	const more = alerts.length - room + 1;
	return [...short.slice(0, room - 1), [span(`  and ${more} more: /cwl health`, "dim")]];
}

function mark(text: string, tone: Tone, width: number): readonly Line[] {
	return wrap(text, width - 2, 3).map((line, index) => [span(index === 0 ? "● " : "  ", tone), ...line]);
}

/** The metrics next to one another, for a narrow screen. */
export function healthFlow(report: StateReport, width: number): readonly Line[] {
	const pieces = rowsOf(report).map(({ metric, value }) => [span(`${metric} `, "dim"), span(value)]);
	return flow(pieces, width, " · ");
}

/** Without utilisation: the head of the panel says how full the next request is. */
function rowsOf(report: StateReport): readonly HealthRow[] {
	const metrics = describeHealth(report.health).filter(({ metric }) => metric !== "utilisation");
	return [...metrics, ...describeSession(report)];
}

/** A row a metric, with what it means. */
export function healthRows(report: StateReport, width: number): readonly Line[] {
	return rowsOf(report).flatMap(({ metric, value, detail }) =>
		wrap(detail, width - 21, 2, "dim").map((line, index) => [
			span(index === 0 ? metric.padEnd(13) : " ".repeat(13), "dim"),
			span(index === 0 ? `${value.padStart(6)}  ` : " ".repeat(8)),
			...line,
		]),
	);
}

type Pass = StateReport["passes"][number];

const MIN_BAR = 12;
const MAX_BAR = 48;

/** The newest `room` passes, the newest last; each a bar on the scale of the largest request, with its price next to it. */
export function passRows(report: StateReport, width: number, room: number): readonly Line[] {
	const { passes, scale, health } = report;
	if (passes.length === 0) return [[span("No pass yet: nothing has left the context.", "dim")]];
	const first = Math.max(0, passes.length - room);
	const shown = passes.slice(first);
	const widest = Math.max(...shown.map(({ before }) => before));
	const labels = shown.map((pass, index) => [
		span(`#${first + index + 1}`.padStart(4), "strong"),
		span(`${formatTokens(scale * pass.before).padStart(6)} → ${formatTokens(scale * pass.after).padEnd(5)}`),
	]);
	const beside = Math.max(...labels.map(widthOfLine)) + 2;
	const price = (detail: number) =>
		shown.map((pass, index) => {
			const regretted = health.regret.passes[first + index]?.regretted ?? 0;
			return priceOf(pass, scale, regretted, detail);
		});
	const roomBeside = (lines: readonly Line[]) => width - beside - Math.max(...lines.map(widthOfLine));
	// Where there is no room for all, the bar says more than when a pass pays, and than what was read again.
	const [all, short, shortest] = [price(2), price(1), price(0)];
	const prices = [all, short].find((lines) => roomBeside(lines) >= MIN_BAR) ?? shortest;
	const cells = Math.min(MAX_BAR, roomBeside(prices));
	return shown.map((pass, index) => [
		...(labels[index] ?? []),
		...(cells < MIN_BAR ? [] : [span(" "), ...timeline(pass, widest, cells)]),
		span(" "),
		...(prices[index] ?? []),
	]);
}

/** The legend of the bars' marks. */
export const passLegend: Line = [
	span("█", "green"),
	span(" kept  ", "dim"),
	span("▓", "orange"),
	span(" sent anew  ", "dim"),
	span("░", "dim"),
	span(" taken", "dim"),
];

/** The prefix that stayed, what stood behind the break, and what went. */
function timeline({ before, after, decision }: Pass, widest: number, cells: number): Line {
	const cell = (tokens: number) => Math.round((cells * tokens) / widest);
	const anew = Math.min(after, decision?.rewritten ?? 0);
	const kept = cell(after - anew);
	const sent = Math.max(kept, cell(after));
	const taken = Math.max(sent, cell(before));
	return [
		span("█".repeat(kept), "green"),
		span("▓".repeat(sent - kept), "orange"),
		span("░".repeat(taken - sent), "dim"),
		span(" ".repeat(cells - taken)),
	];
}

/** Saving and cost; with more `detail`, what was read again, and when it pays. */
function priceOf(pass: Pass, scale: number, regretted: number, detail: number): Line {
	const { before, after, decision, policy } = pass;
	const size = (tokens: number) => formatTokens(scale * tokens);
	const saved = [span(`-${size(before - after)}`.padStart(6), "green")];
	const cost = decision
		? [span(` for ${size(decision.rewritten)} anew`, decision.rewritten > 0 ? "orange" : "dim")]
		: [span(` ${policy === PREFIX_CHANGED ? "thinking, as older text changed" : policy}`, "dim")];
	const back =
		detail < 2 || decision?.paidBackAfter === undefined
			? []
			: [span(`, pays after ${countOf(Math.ceil(decision.paidBackAfter), "request")}`, "dim")];
	const again = detail > 0 && regretted > 0 ? [span(`, ${size(regretted)} read again`, "yellow")] : [];
	return [...saved, ...cost, ...back, ...again];
}
