/**
 * The panel: budget, alerts, the episode graph, the history of passes and health, as framed lines for a terminal
 * of any size.
 */
import type { StateReport } from "../health/state-report.ts";
import { countOf } from "./figures.ts";
import { episodeRows, episodeTitle } from "./panel-episodes.ts";
import type { PanelState } from "./panel-keys.ts";
import {
	alertRows,
	healthFlow,
	legendLines,
	passLegend,
	passRows,
	stackLine,
	usageLine,
} from "./panel-sections.ts";
import { fitLine, type Line, shorten, span, widthOfLine } from "./terminal-text.ts";

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
	if (width < SMALLEST.width || height < SMALLEST.height) return tooSmall(width);
	const { report, said } = view;
	const legend = height < LOW ? [] : legendLines(report, width - 4);
	const reason = height < LOW ? [] : [[span(`budget ${report.budgetReason}`, "dim")]];
	const head = [usageLine(report, width - 4), stackLine(report, width - 4), ...legend, ...reason];
	const foot = said === "" ? [] : [[span("» ", "cyan"), span(said)]];
	const room = height - head.length - foot.length - 2;
	const help = span(` ${shorten(view.state.isTyping ? TYPING_HELP : HELP, width - 6)} `, "dim");
	return [
		topEdge(report, width),
		...head.map((line) => boxed(line, width)),
		...body(view, width, room, height >= TALL),
		...foot.map((line) => boxed(line, width)),
		rule(corners.bottom, [help], [], width),
	];
}

function topEdge({ settings, episodes, passes }: StateReport, width: number): Line {
	const about = settings.enabled === "true" ? `policy ${settings.policy}` : "off";
	const marked = episodes.filter(({ isAnswer }) => !isAnswer);
	const counts = [countOf(marked.length, "episode"), countOf(passes.length, "pass", "passes"), about].join(
		" · ",
	);
	return rule(corners.top, titleOf("Context Window Lifecycle"), noteOf([span(counts, "dim")]), width);
}

/** Sections under one another. What comes last gives way first, so that the episodes keep their lines. */
function body(view: PanelView, width: number, room: number, isTall: boolean): readonly Line[] {
	const { report, state } = view;
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
	const episodes = episodeSection(view.report, state, inner, left);
	return [...alerts, ...drawSection(episodes, width), ...rest.flat()];
}

function episodeSection(report: StateReport, state: PanelState, width: number, rows: number): Section {
	const { left, right } = episodeTitle(report, state, width);
	return {
		title: left,
		note: [span(right, "dim")],
		rows: filled(episodeRows(report, state, width, rows), rows),
	};
}

const HELP = "↑↓ move · enter open · p pin or unpin · r recall · / filter · q close";
const TYPING_HELP = "type to filter · enter keep · esc all";

function tooSmall(width: number): readonly Line[] {
	return [fitLine([span("cwl: too small for the panel; q closes it")], width)];
}

/** A part of the panel under a title, which stands in the rule above it. */
export interface Section {
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
function rule([left, right]: readonly [string, string], title: Line, note: Line, width: number): Line {
	const room = Math.max(0, width - 4);
	const shown = widthOfLine(title) > room ? fitLine(title, room) : title;
	const fits = widthOfLine(shown) + widthOfLine(note) + MIN_RULE <= room;
	const tail = fits ? note : [];
	const between = Math.max(0, room - widthOfLine(shown) - widthOfLine(tail));
	return fitLine(
		[span(`${left}─`, "dim"), ...shown, span("─".repeat(between), "dim"), ...tail, span(`─${right}`, "dim")],
		width,
	);
}

function titleOf(text: string): Line {
	return [span(` ${text} `, "strong")];
}

function noteOf(line: Line): Line {
	return line.length === 0 ? [] : [span(" "), ...line, span(" ")];
}

/** A section over the whole width. */
function drawSection({ title, note = [], rows }: Section, width: number): readonly Line[] {
	const head = rule(corners.middle, titleOf(title), noteOf(note), width);
	return [head, ...rows.map((row) => boxed(row, width))];
}

function boxed(line: Line, width: number): Line {
	return [span("│ ", "dim"), ...fitLine(line, width - 4), span(" │", "dim")];
}

/** Exactly `room` rows. */
function filled(rows: readonly Line[], room: number): readonly Line[] {
	return [...rows, ...Array.from({ length: Math.max(0, room - rows.length) }, () => [])].slice(0, room);
}
