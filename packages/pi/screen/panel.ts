/**
 * The panel: how full the context is and of what, the three answers, the episode graph, the timeline of passes and, behind a
 * key, all figures; as framed lines for a terminal of any size.
 */
import { countOf, formatTokens } from "#basics";
import type { StateReport } from "../health/state-report.ts";
import { answerHealth, answerNext, answerSaving } from "./answers.ts";
import { episodeRows, episodeTitle } from "./panel-episodes.ts";
import { firstPanel, type PanelState } from "./panel-keys.ts";
import {
	answerRows,
	figureRows,
	legendLines,
	passLegend,
	passRows,
	stackLine,
	usageLine,
} from "./panel-sections.ts";
import {
	fitLine,
	type Line,
	paintLine,
	shorten,
	span,
	type Tone,
	widthOf,
	widthOfLine,
	wrap,
} from "./terminal-text.ts";

/** Columns and lines below which nothing can be read. */
const SMALLEST = { width: 40, height: 10 };
/** From this height on there is room for everything. */
const TALL = 32;
/** Below this height, or without room for everything once figures are shown, the legend of the budget leaves its lines to the rest. */
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
	const most = Math.max(TEXT.answer, Math.ceil((TEXT.answer * TEXT.width) / inner));
	const answers = answerRows(report, inner, height < TALL ? 2 : most);
	const head = [
		usageLine(report, inner),
		stackLine(report, inner),
		...(height < (state.showsFigures ? TALL : LOW)
			? answers.slice(0, 1)
			: [...legendLines(report, inner), ...answers]),
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

/** Columns, and rows of episodes, of passes and of each answer. */
const TEXT = { width: 100, episodes: 12, passes: 8, answer: 3 };

/** The rows of the panel as text, for hosts without a terminal. */
export function panelText(report: StateReport): string {
	const { settings, origins, pressure, passes } = report;
	const { width } = TEXT;
	const isOn = settings.enabled === "true" ? "on" : "off";
	const budget = `${formatTokens(pressure.budget)} tokens (${origins.budget})`;
	const answers = [
		answerHealth(report),
		answerSaving(report.health.costs, report.requests),
		answerNext(report),
	];
	const state = { ...firstPanel, cursor: -1 };
	const lines = [
		[span(`cwl is ${isOn}: policy ${settings.policy}, budget ${budget}`)],
		...answers.flatMap((answer) => wrap(answer, width, TEXT.answer)),
		usageLine(report, width),
		...legendLines(report, width),
		...[
			[span(episodeTitle(report, state, width).title)],
			...episodeRows(report, state, width, TEXT.episodes),
		],
		[span(countOf(passes.length, "pass", "passes"))],
		...passRows(report, width, TEXT.passes),
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
	// A key asks for the figures, so that a low terminal shows the first of them.
	const figures = figureRows(report, inner).slice(0, Math.max(0, room - MIN_EPISODES - 2));
	const wanted: readonly Section[] = [
		...(state.showsFigures ? [{ title: "Alerts and figures", rows: figures }] : []),
		{ title: "Passes", note: passLegend, rows: passRows(report, inner, isTall ? 8 : 3) },
	];
	let left = room - 1;
	const sections = wanted.map((section) => {
		const lines = section.rows.length + 1;
		if (section.rows.length === 0 || left - lines < MIN_EPISODES) return [];
		left -= lines;
		return drawSection(section, width);
	});
	const episodes = episodeRows(report, state, inner, left);
	const blank = Array.from({ length: Math.max(0, left - episodes.length) }, () => []);
	const section = { ...episodeTitle(report, state, width - 4), rows: [...episodes, ...blank].slice(0, left) };
	return [...drawSection(section, width), ...sections.flat()];
}

const HELP = "↑↓ move · enter open · q close · p pin · r recall · h figures · / find";
const TYPING_HELP = "type to filter · enter keep · esc all";

/** A part of the panel under a title, which is in the rule above it. */
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
	const [line = []] = wrap(title, room - 2, 1);
	const words = ` ${shorten(line.map(({ text }) => text).join(""), room - 2)} `;
	const free = room - widthOf(words);
	const tail = note.length === 0 ? [] : [span(" "), ...note, span(" ")];
	const shown = widthOfLine(tail) + MIN_RULE <= free ? tail : [];
	const edge = span("─".repeat(free - widthOfLine(shown)), "dim");
	return [span(`${left}─`, "dim"), span(words, tone), edge, ...shown, span(`─${right}`, "dim")];
}

/** A section over the whole width. */
function drawSection({ title, note = [], rows }: Section, width: number): readonly Line[] {
	return [rule(corners.middle, title, note, width), ...rows.map((row) => boxed(row, width))];
}

function boxed(line: Line, width: number): Line {
	return [span("│ ", "dim"), ...fitLine(line, width - 4), span(" │", "dim")];
}
