/**
 * The panel: how full the context is and of what, alerts, the episode graph, the timeline of passes and health, as
 * framed lines for a terminal of any size.
 */
import { PREFIX_CHANGED } from "#core/planning";
import type { AlertGrade } from "../health/alert.ts";
import { describeHealth } from "../health/health-report.ts";
import { describeSession, type StateReport } from "../health/state-report.ts";
import { countOf, formatTokens, percent } from "./figures.ts";
import { episodeRows, episodeTitle } from "./panel-episodes.ts";
import { firstPanel, type PanelState } from "./panel-keys.ts";
import {
	fitLine,
	flow,
	type Line,
	paintLine,
	type Span,
	shorten,
	span,
	spread,
	type Tone,
	widthOf,
	widthOfLine,
	wrap,
} from "./terminal-text.ts";

/** Columns and lines below which nothing can be read. */
const SMALLEST = { width: 40, height: 10 };
/** From this height on there is room for everything. */
const TALL = 32;
/** Below this height the legend of the budget leaves its lines to the episodes. */
const LOW = 18;
const MIN_EPISODES = 4;

export interface PanelView {
	readonly report: StateReport;
	readonly state: PanelState;
	/** The answer to the last key; "" for none. */
	readonly said: string;
}

/** At most `height` lines of exactly `width` columns, framed. */
export function panelLines(view: PanelView, width: number, height: number): readonly Line[] {
	if (width < SMALLEST.width || height < SMALLEST.height) {
		return [fitLine([span("cwl: too small for the panel; q closes it")], width)];
	}
	const { report, state, said } = view;
	const inner = width - 4;
	const budget: Line = [span(`budget ${report.budgetReason}`, "dim")];
	const head = [
		usageLine(report, inner),
		stackLine(report, inner),
		...(height < LOW ? [] : [...legendLines(report, inner), budget]),
	];
	const foot = said === "" ? [] : [[span("» ", "cyan"), span(said)]];
	const room = height - head.length - foot.length - 2;
	return [
		topEdge(report, width),
		...head.map((line) => boxed(line, width)),
		...body(view, width, room, height >= TALL),
		...foot.map((line) => boxed(line, width)),
		rule(corners.bottom, state.isTyping ? TYPING_HELP : HELP, [], width, "dim"),
	];
}

/** Columns, and rows of episodes and of passes. */
const TEXT = { width: 100, episodes: 12, passes: 8 };

/** The rows of the panel as text, for hosts without a terminal. */
export function panelText(report: StateReport): string {
	const { settings, origins, pressure, passes } = report;
	const { width } = TEXT;
	const isOn = settings.enabled === "true" ? "on" : "off";
	const budget = `${formatTokens(pressure.budget)} tokens (${origins.budget})`;
	const state = { ...firstPanel, cursor: -1 };
	const lines = [
		[span(`cwl is ${isOn}: policy ${settings.policy}, budget ${budget}`)],
		...[usageLine(report, width), ...legendLines(report, width)],
		...[
			[span(episodeTitle(report, state, width).title)],
			...episodeRows(report, state, width, TEXT.episodes),
		],
		...[[span(countOf(passes.length, "pass", "passes"))], ...passRows(report, width, TEXT.passes)],
	];
	return lines.map((line) => paintLine(fitLine(line, width), (_tone, text) => text).trimEnd()).join("\n");
}

function topEdge({ settings, episodes, passes }: StateReport, width: number): Line {
	const marked = episodes.filter(({ isAnswer }) => !isAnswer);
	const counts = [countOf(marked.length, "episode"), countOf(passes.length, "pass", "passes")].join(" · ");
	const about = settings.enabled === "true" ? `policy ${settings.policy}` : "off";
	return rule(corners.top, "Context Window Lifecycle", [span(`${counts} · ${about}`, "dim")], width);
}

/** Sections under one another. What comes last gives way first, so that the episodes keep their lines. */
function body({ report, state }: PanelView, width: number, room: number, isTall: boolean): readonly Line[] {
	const inner = width - 4;
	const wanted: readonly Section[] = [
		{ title: "Alerts", rows: alertRows(report, inner, isTall ? 8 : 2) },
		{ title: "Passes", note: passLegend, rows: passRows(report, inner, isTall ? 8 : 3) },
		{ title: "Health", rows: healthFlow(report, inner) },
	];
	let left = room - 1;
	const [alerts = [], ...rest] = wanted.map((section) => {
		const lines = section.rows.length + 1;
		if (section.rows.length === 0 || left - lines < MIN_EPISODES) return [];
		left -= lines;
		return drawSection(section, width);
	});
	const episodes = episodeRows(report, state, inner, left);
	const blank = Array.from({ length: Math.max(0, left - episodes.length) }, () => []);
	const section = { ...episodeTitle(report, state, width - 4), rows: [...episodes, ...blank].slice(0, left) };
	return [...alerts, ...drawSection(section, width), ...rest.flat()];
}

const HELP = "↑↓ move · enter open · p pin or unpin · r recall · / filter · q close";
const TYPING_HELP = "type to filter · enter keep · esc all";

/** A part of the panel under a title, which stands in the rule above it. */
interface Section {
	readonly title: string;
	/** At the right end of the rule, where there is room. */
	readonly note?: Line;
	readonly rows: readonly Line[];
}

/** Both corners of a rule. */
const corners = { top: ["╭", "╮"], middle: ["├", "┤"], bottom: ["╰", "╯"] } as const;

/** The least of the rule itself that is seen. */
const MIN_RULE = 6;

/** A rule of `width` columns, with words in it. */
function rule(
	[left, right]: readonly [string, string],
	title: string,
	note: Line,
	width: number,
	tone: Tone = "strong",
): Line {
	const room = width - 4;
	const words = ` ${shorten(title, room - 2)} `;
	const free = room - widthOf(words);
	const tail = note.length === 0 ? [] : [span(" "), ...note, span(" ")];
	const shown = widthOfLine(tail) + MIN_RULE <= free ? tail : [];
	const line = span("─".repeat(free - widthOfLine(shown)), "dim");
	return [span(`${left}─`, "dim"), span(words, tone), line, ...shown, span(`─${right}`, "dim")];
}

/** A section over the whole width. */
function drawSection({ title, note = [], rows }: Section, width: number): readonly Line[] {
	return [rule(corners.middle, title, note, width), ...rows.map((row) => boxed(row, width))];
}

function boxed(line: Line, width: number): Line {
	return [span("│ ", "dim"), ...fitLine(line, width - 4), span(" │", "dim")];
}

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
function componentsOf({ ledger, pressure }: StateReport) {
	return components.flatMap((name) => {
		const tokens = (ledger[name] * pressure.used) / Math.max(1, ledger.total);
		return tokens > 0 ? [{ name, tokens, share: tokens / pressure.budget, tone: tones[name] }] : [];
	});
}

/** Used and budget, and how long it will last. */
function usageLine({ pressure, nextPass, scale, settings }: StateReport, width: number): Line {
	const { used, budget, level, zone, velocity, source } = pressure;
	const about = source === "estimated" ? "~" : "";
	const left = [
		span(`${about}${formatTokens(used)}`, zone),
		span(` of ${formatTokens(budget)} tokens `),
		span(percent(level, "%"), zone),
	];
	const wait = nextPass.dueIn > 0 ? `in ${formatTokens(scale * nextPass.dueIn)}` : "is due";
	const sooner = nextPass.dueIn > 0 && nextPass.freedWithMessage > 0 ? " or with your next message" : "";
	const due = settings.enabled === "true" ? `next pass ${wait}${sooner}` : "no pass while off";
	const growth = velocity > 0 ? `+${formatTokens(velocity)} a request · ` : "";
	const isRoom = widthOfLine(left) + growth.length + due.length <= width;
	return spread(left, [span(`${isRoom ? growth : ""}${due}`, "dim")], width);
}

/** One bar of `width` columns that is the budget, stacked by component; where the zones end is seen by what is left. */
function stackLine(report: StateReport, width: number): Line {
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
function legendLines(report: StateReport, width: number): readonly Line[] {
	const pieces = componentsOf(report).map((component) => [
		span("■ ", component.tone),
		span(`${component.name} `, "dim"),
		span(`${formatTokens(component.tokens)} `),
		span(percent(component.share, "%")),
	]);
	return flow(pieces, width, "  ");
}

const grades: Readonly<Record<AlertGrade, Tone>> = { critical: "red", warning: "orange", notice: "yellow" };

/** The open alerts, the gravest first, and their remedies as far as `room` lines hold them. */
function alertRows({ alerts }: StateReport, width: number, room: number): readonly Line[] {
	const rows = alerts.flatMap(({ grade, text, remedy }): readonly Line[] => {
		const lines = [...wrap(`${grade}: ${text}`, width - 2, 3), ...wrap(remedy, width - 2, 2, "dim")];
		return lines.map((line, index) => [span(index === 0 ? "● " : "  ", grades[grade]), ...line]);
	});
	if (rows.length <= room) return rows;
	const short = alerts.map(({ grade, text }): Line => [span("● ", grades[grade]), span(`${grade}: ${text}`)]);
	if (short.length <= room) return short;
	const more = alerts.length - room + 1;
	return [...short.slice(0, room - 1), [span(`  and ${more} more: /cwl health`, "dim")]];
}

/** The metrics next to one another, without utilisation: the head of the panel says how full the next request is. */
function healthFlow(report: StateReport, width: number): readonly Line[] {
	const metrics = describeHealth(report.health).filter(({ metric }) => metric !== "utilisation");
	const rows = [...metrics, ...describeSession(report)];
	return flow(
		rows.map(({ metric, value }) => [span(`${metric} `, "dim"), span(value)]),
		width,
		" · ",
	);
}

type Pass = StateReport["passes"][number];

const MIN_BAR = 8;
const MAX_BAR = 48;

/** The newest `room` passes, the newest last; each a bar on the scale of the largest request, with its price next to it. */
function passRows(report: StateReport, width: number, room: number): readonly Line[] {
	const { passes, scale, health } = report;
	if (passes.length === 0) return [[span("No pass in force: nothing has left the context.", "dim")]];
	const first = Math.max(0, passes.length - room);
	const shown = passes.slice(first);
	const widest = Math.max(...shown.map(({ before }) => before));
	const rows = shown.map((pass, index) => {
		const [before, after] = [pass.before, pass.after].map((tokens) => formatTokens(scale * tokens));
		const label = [
			span(`#${first + index + 1}`.padStart(4), "strong"),
			span(`${before?.padStart(6)} → ${after?.padEnd(5)}`),
		];
		return { pass, label, price: priceOf(pass, scale, health.regret.passes[first + index]?.regretted ?? 0) };
	});
	const most = (part: "label" | "price") => Math.max(...rows.map((row) => widthOfLine(row[part])));
	const cells = Math.min(MAX_BAR, width - most("label") - 2 - most("price"));
	return rows.map(({ pass, label, price }) => [
		...label,
		...(cells < MIN_BAR ? [] : [span(" "), ...timeline(pass, widest, cells)]),
		...[span(" "), ...price],
	]);
}

/** The legend of the bars' marks. */
const passLegend: Line = [
	span("█", "green"),
	span(" kept  ", "dim"),
	span("▓", "orange"),
	span(" sent again  ", "dim"),
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

/** Saving and cost, when it pays, and what was read again. */
function priceOf(pass: Pass, scale: number, regretted: number): Line {
	const { before, after, decision, policy } = pass;
	const size = (tokens: number) => formatTokens(scale * tokens);
	const back = decision?.paidBackAfter;
	return [
		span(`-${size(before - after)}`.padStart(6), "green"),
		decision
			? span(` for ${size(decision.rewritten)} again`, decision.rewritten > 0 ? "orange" : "dim")
			: span(` ${policy === PREFIX_CHANGED ? "thinking, as older text changed" : policy}`, "dim"),
		...(back === undefined ? [] : [span(`, pays after ${countOf(Math.ceil(back), "request")}`, "dim")]),
		...(regretted > 0 ? [span(`, ${size(regretted)} read again`, "yellow")] : []),
	];
}
