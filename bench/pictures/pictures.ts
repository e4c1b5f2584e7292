/** The pictures that README and docs show, as SVG in GitHub's own colors: the same demo gives the same pictures. */

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { countOf, formatTokens } from "#basics";
import { type Answer, contentText, type HostMessage, isAnswer, toolCallsOf } from "#pi/codec";
import type { StateReport } from "#pi/health";
import { firstPanel, type Line, listedEpisodes, panelLines, shorten, type Tone, widthOf } from "#pi/screen";
import { element, type Markup } from "#replay/pages";
import { wrapText } from "#replay/report";

/** Each color on a light and on a dark page. */
const palette: Readonly<Record<Tone | "page", readonly [light: string, dark: string]>> = {
	page: ["#f6f8fa", "#151b23"],
	plain: ["#1f2328", "#d1d7e0"],
	strong: ["#1f2328", "#f0f6fc"],
	dim: ["#6a737d", "#8b949e"],
	green: ["#1a7f37", "#3fb950"],
	yellow: ["#9a6700", "#d29922"],
	orange: ["#bc4c00", "#f0883e"],
	red: ["#d1242f", "#f85149"],
	blue: ["#0969da", "#58a6ff"],
	cyan: ["#1b7c83", "#39c5cf"],
	magenta: ["#bf3989", "#f778ba"],
	violet: ["#8250df", "#bc8cff"],
};
/** The terminal of the panel: narrow enough to be read on a phone. */
const COLUMNS = 76;
const ROWS = 34;
/** The size of a terminal's cell and the margin around a picture, in pixels. */
const CELL = { width: 8.4, height: 18 };
const MARGIN = 16;
const TERMINAL_STYLE = `text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre }
.strong { font-weight: 600 }`;

/** Tokens of each request: as sent, in a replay under pi's compaction, and in one without eviction. */
type Contexts = Readonly<Record<"cwl" | "compaction" | "none", readonly number[]>>;

interface PicturedSession {
	/** The session's state at its end. */
	readonly state: StateReport | undefined;
	readonly messages: readonly HostMessage[];
	readonly contexts: Contexts;
	readonly tasks: number;
}

/** Writes them into a folder. */
export async function writePictures(folder: string, { state, messages, contexts, tasks }: PicturedSession) {
	await mkdir(folder, { recursive: true });
	const keep = (name: string, picture: string) => writeFile(join(folder, name), picture);
	if (state) await keep("panel.svg", drawPanel(state, messages));
	await keep("before-after.svg", drawContexts(contexts, tasks));
}

/** The last turn of a conversation, and the panel of `/cwl` below it with the newest episode open that has a description. */
export function drawPanel(report: StateReport, messages: readonly HostMessage[]): string {
	const cursor = listedEpisodes(report, firstPanel).findIndex(({ description }) => description !== null);
	const state = { ...firstPanel, cursor: Math.max(0, cursor), isOpen: cursor >= 0 };
	const panel = panelLines({ report, state, said: "" }, COLUMNS, ROWS);
	const lines = [...conversationLines(messages), [], ...panel];
	const size = [COLUMNS * CELL.width + 2 * MARGIN, lines.length * CELL.height + 2 * MARGIN] as const;
	return drawPicture(size, "A conversation in pi with the panel of /cwl", TERMINAL_STYLE, drawLines(lines));
}

/** Lines of a text, and of the steps of a turn, that are shown at most. */
const MAX_LINES = 3;
const MAX_STEPS = 5;

/** The last question of the user, the last steps of the agent, and its answer. */
function conversationLines(messages: readonly HostMessage[]): readonly Line[] {
	const start = messages.findLastIndex(({ role }) => role === "user");
	const linesOf = (text: string, tone: Tone, sign: string): readonly Line[] => {
		const lines = wrapText(text.replace(/\s+/g, " ").trim(), COLUMNS - 2);
		const cut = lines.length > MAX_LINES ? [`${lines[MAX_LINES - 1]}…`] : lines.slice(MAX_LINES - 1);
		return [...lines.slice(0, MAX_LINES - 1), ...cut].map((line, index) => [
			{ text: shorten(`${index === 0 ? sign : " "} ${line}`, COLUMNS), tone },
		]);
	};
	const asked: Line[] = [];
	const steps: Line[] = [];
	const answer: Line[] = [];
	for (const message of messages.slice(Math.max(0, start))) {
		if (message.role === "user") asked.push(...linesOf(contentText(message.content), "strong", ">"));
		if (!isAnswer(message)) continue;
		const calls = toolCallsOf(message);
		for (const { name, arguments: args } of calls) {
			const given = Object.values(args).filter((value) => typeof value === "string");
			steps.push([
				{ text: shorten(`  ${name} ${given.join(" ").replace(/\s+/g, " ")}`, COLUMNS), tone: "dim" },
			]);
		}
		if (calls.length === 0) answer.push(...linesOf(textOf(message), "plain", " "));
	}
	return [...asked, ...steps.slice(-MAX_STEPS), ...answer];
}

/** Without thinking. */
const textOf = ({ content }: Answer) =>
	contentText(content.flatMap((block) => (block.type === "text" ? [block] : [])));

const plot = { left: 74, right: 606, top: 96, bottom: 380 };
/** Steps of an axis, in tokens; the smallest that needs at most six lines is taken. */
const STEPS = [5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000];

/** The tokens of each request of a session, without eviction, with pi's compaction and with cwl, above an axis of tokens. */
export function drawContexts({ cwl, compaction, none }: Contexts, tasks: number): string {
	const { left, right, top, bottom } = plot;
	const most = Math.max(1, ...none, ...compaction, ...cwl);
	const step = STEPS.find((size) => most / size <= 6) ?? most;
	const highest = step * Math.ceil(most / step);
	const count = Math.max(2, none.length, compaction.length, cwl.length);
	const x = (request: number) => round(left + ((right - left) * request) / (count - 1));
	const y = (tokens: number) => round(bottom - ((bottom - top) * tokens) / highest);
	const say = (at: number, height: number, look: string, words: string, anchor = "start") =>
		element("text", { class: look, x: at, y: round(height), "text-anchor": anchor }, words);
	const arms = [
		{ name: "without eviction", tone: "orange", sizes: none },
		{ name: "pi's compaction", tone: "magenta", sizes: compaction },
		{ name: "cwl", tone: "green", sizes: cwl },
	].map((arm) => ({ ...arm, peak: formatTokens(Math.max(0, ...arm.sizes)) }));
	const [whole, compacted, own] = arms.map(({ peak }) => peak);
	const ticks = Array.from({ length: highest / step + 1 }, (_, index) => index * step);
	const label = `${countOf(tasks, "task")} in one session: at most ${own} tokens a request with cwl, ${compacted} with pi's compaction, ${whole} without eviction`;
	const style = `text { font: 22px system-ui, "Segoe UI", "DejaVu Sans", sans-serif } .title { font-weight: 600 }`;
	return drawPicture([620, 440], label, style, [
		say(16, 36, "strong title", `${countOf(tasks, "task")} in one session`),
		say(16, 66, "dim", "tokens of each request"),
		...ticks.map((tokens) =>
			element("path", { class: "line dim", opacity: 0.4, d: `M${left},${y(tokens)} H${right}` }),
		),
		...ticks.map((tokens) => say(left - 10, y(tokens) + 7, "dim", formatTokens(tokens), "end")),
		...arms.map(({ tone, sizes }) => {
			const points = sizes.map((size, request) => `${x(request)},${y(size)}`).join(" ");
			return element("polyline", { class: `line ${tone}`, "stroke-width": 3, points });
		}),
		// Every session begins small, so that the names have room above its beginning.
		...arms.map(({ name, tone, peak }, row) =>
			say(left + 14, top + 30 + 30 * row, `${tone} title`, `${name}: at most ${peak}`),
		),
		say((left + right) / 2, 424, "dim", `the same ${count} requests in each`, "middle"),
	]);
}

/** A whole SVG document. */
function drawPicture(
	size: readonly [width: number, height: number],
	label: string,
	style: string,
	content: readonly Markup[],
): string {
	const colors = (page: 0 | 1) =>
		Object.entries(palette)
			.map(([tone, { [page]: color }]) => `.${tone} { --color: ${color} }`)
			.join(" ");
	const [width = 0, height = 0] = size.map(round);
	const looks = `
${style}
[class] { fill: var(--color) }
.line { fill: none; stroke: var(--color) }
${colors(0)}
@media (prefers-color-scheme: dark) { ${colors(1)} }
`;
	const xmlns = "http://www.w3.org/2000/svg";
	const attributes = { xmlns, viewBox: `0 0 ${width} ${height}`, width, height, role: "img" };
	const page = element("rect", { class: "page", width: "100%", height: "100%", rx: 10 });
	const sheet = element("style", {}, { markup: looks });
	return `${element("svg", { ...attributes, "aria-label": label }, sheet, page, content).markup}\n`;
}

/** The lines of a terminal. Each piece is stretched to its columns, so that any font fits. */
function drawLines(lines: readonly Line[]): readonly Markup[] {
	return lines.flatMap((line, index) => {
		let column = 0;
		return line.flatMap(({ text, tone }) => {
			const x = round(MARGIN + column * CELL.width);
			const width = round(widthOf(text) * CELL.width);
			column += widthOf(text);
			return text.trim() === "" ? [] : [drawPiece(text, tone, x, MARGIN + index * CELL.height, width)];
		});
	});
}

/** The share of its cell that a block fills. */
const blocks: Readonly<Record<string, number>> = { "█": 1, "▓": 0.75, "░": 0.25 };

/** Blocks are rectangles, since fonts leave gaps between them; everything else is text. */
function drawPiece(text: string, tone: Tone, x: number, y: number, width: number): Markup {
	const opacity = text === text.charAt(0).repeat(text.length) ? blocks[text.charAt(0)] : undefined;
	if (opacity === undefined)
		return element("text", { class: tone, x, y: y + CELL.height - 5, textLength: width }, text);
	return element("rect", { class: tone, x, y: y + 3, width, height: CELL.height - 6, opacity });
}

const round = (pixels: number) => Math.round(pixels * 10) / 10;
