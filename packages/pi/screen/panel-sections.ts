/** The sections of the panel around the episodes: use of the budget, the three answers, passes and figures, each as lines without a frame. */
import { formatTokens, percent } from "#basics";
import type { AlertGrade } from "../health/alert.ts";
import { describeHealth } from "../health/health-report.ts";
import { describeSession, type StateReport } from "../health/state-report.ts";
import { alertText, answerHealth, answerNext, answerSaving } from "./answers.ts";
import { showTokens } from "./sizes.ts";
import {
	flow,
	type Line,
	type Span,
	span,
	spread,
	type Tone,
	wholeSpans,
	widthOfLine,
	wrap,
} from "./terminal-text.ts";

/** The names of components that are not called as in the report. */
const labels: Readonly<Record<string, string>> = { unannotated: "unmarked", unassigned: "framing" };
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
	unassigned: "strong",
} as const satisfies Partial<Record<keyof StateReport["ledger"], Tone>>;
const components = Object.keys(tones) as readonly (keyof typeof tones)[];

/** An unassigned rest below this share of the budget is rounding. */
const MIN_REST = 0.005;

/** Components with anything in them. */
function componentsOf({ ledger, pressure }: StateReport) {
	return components.flatMap((name) => {
		const tokens = ledger[name];
		const share = tokens / pressure.budget;
		const isShown = name === "unassigned" ? share >= MIN_REST : tokens > 0;
		return isShown ? [{ name: labels[name] ?? name, tokens, share, tone: tones[name] }] : [];
	});
}

const show = ({ pressure }: StateReport, tokens: number) =>
	showTokens(tokens, pressure.source === "reported");

/** Used and budget, and how fast it grows. */
export function usageLine(report: StateReport, width: number): Line {
	const { used, budget, level, zone, velocity } = report.pressure;
	const left = [
		span(show(report, used), zone),
		span(` of ${formatTokens(budget)} tokens `),
		span(percent(level, "%"), zone),
	];
	const growth = velocity > 0 ? `${show(report, velocity)} more a request` : "";
	const isRoom = widthOfLine(left) + 1 + growth.length <= width;
	return spread(left, [span(isRoom ? growth : "", "dim")], width);
}

/** Is anything wrong, what did it save, what leaves next: each in at most `most` lines. */
export function answerRows(report: StateReport, width: number, most: number): readonly Line[] {
	const [gravest] = report.alerts;
	const answers = [
		[answerHealth(report), gravest ? grades[gravest.grade] : "green"],
		[answerSaving(report.health.costs, report.requests), "dim"],
		[answerNext(report), "dim"],
	] as const;
	return answers.flatMap(([text, tone]) =>
		wrap(text, width - 2, most).map((line, at) => [span(at === 0 ? "● " : "  ", tone), ...line]),
	);
}

/** One bar of `width` columns that is the budget, stacked by component; the space that is left shows how far it is from full. */
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
		span(`${show(report, component.tokens)} `),
		span(percent(component.share, "%")),
	]);
	return flow(pieces, width, "  ");
}

const grades: Readonly<Record<AlertGrade, Tone>> = { critical: "red", warning: "orange", notice: "yellow" };

/** All open alerts, the gravest first, the budget and why it is so, and the metrics next to one another. */
export function figureRows(report: StateReport, width: number): readonly Line[] {
	const alerts = report.alerts.flatMap((alert) =>
		wrap(alertText(alert), width - 2, 3).map((line, at) => [
			span(at === 0 ? "● " : "  ", grades[alert.grade]),
			...line,
		]),
	);
	const rows = [...describeHealth(report.health), ...describeSession(report)];
	const figures = flow(
		rows.map(({ metric, value }) => [span(`${metric} `, "dim"), span(value)]),
		width,
		" · ",
	);
	const isOn = report.settings.enabled === "true";
	return [...alerts, ...(isOn ? wrap(`budget ${report.budgetReason}`, width, 2, "dim") : []), ...figures];
}

type Pass = StateReport["passes"][number];

const MIN_BAR = 8;
const MAX_BAR = 48;

/** The newest `room` passes, the newest last, behind the number of earlier ones; each a bar on the scale of the largest request, with its price next to it. */
export function passRows(report: StateReport, width: number, room: number): readonly Line[] {
	const { passes, health } = report;
	if (passes.length === 0) return [[span("No pass is in force.", "dim")]];
	const first = Math.max(0, passes.length - room);
	// What the provider has counted is no estimate any more.
	const shown = passes.slice(first).map((pass) => ({ ...pass, after: pass.sent ?? pass.after }));
	const widest = Math.max(...shown.flatMap(({ before, after }) => [before, after]));
	const rows = shown.map((pass, index) => {
		const before = showTokens(pass.before, pass.isKnown);
		const after = showTokens(pass.after, pass.isKnown);
		const label = [
			span(`#${pass.number}`.padStart(4), "strong"),
			span(`${before.padStart(6)} → ${after.padEnd(5)}`),
		];
		const price = priceOf(pass, health.regret.passes[first + index]?.regretted ?? 0);
		return { pass, label, price: wholeSpans(price, width - widthOfLine(label) - 1) };
	});
	const most = (part: "label" | "price") => Math.max(...rows.map((row) => widthOfLine(row[part])));
	const cells = Math.min(MAX_BAR, width - most("label") - 2 - most("price"));
	const earlier = first === 0 ? [] : [[span(`   ${first} earlier`, "dim")]];
	const lines = rows.map(({ pass, label, price }) => [
		...label,
		...(cells < MIN_BAR ? [] : [span(" "), ...timeline(pass, widest, cells)]),
		span(" "),
		...price,
	]);
	return [...earlier, ...lines];
}

/** The legend of the bars' marks. */
export const passLegend: Line = [
	span("█", "green"),
	span(" cached ", "dim"),
	span("▓", "orange"),
	span(" written again ", "dim"),
	span("▒", "cyan"),
	span(" new or cold ", "dim"),
	span("·", "dim"),
	span(" unknown ", "dim"),
	span("░", "dim"),
	span(" left", "dim"),
];

/** The parts of a request in the order of the legend. Until its provider has reported it, nothing is known of what it sends. */
function timeline({ before, after, rewritten, cached }: Pass, widest: number, cells: number): Line {
	const again = Math.min(after, rewritten ?? 0);
	const known = cached === null ? after - again : Math.min(cached, after - again);
	const parts: readonly (readonly [end: number, mark: string, tone: Tone])[] = [
		[known, cached === null ? "·" : "█", cached === null ? "dim" : "green"],
		[known + again, "▓", "orange"],
		[after, "▒", "cyan"],
		[before, "░", "dim"],
		[widest, " ", "plain"],
	];
	let filled = 0;
	return parts.map(([end, mark, tone]) => {
		const from = filled;
		filled = Math.max(from, Math.round((cells * end) / widest));
		return span(mark.repeat(filled - from), tone);
	});
}

/** The tokens that it had written again, and those that were read again. */
function priceOf(pass: Pass, regretted: number): Line {
	const { decision, policy, rewritten } = pass;
	const parts: readonly Span[] = [
		...(decision ? [] : [span(policy, "dim")]),
		...(rewritten === null
			? []
			: [span(`${formatTokens(rewritten)} again`, rewritten > 0 ? "orange" : "dim")]),
		...(regretted > 0 ? [span(`${formatTokens(regretted)} read again for nothing`, "yellow")] : []),
	];
	return parts.map(({ text, tone }, at) => span(at === 0 ? text : `, ${text}`, tone));
}
