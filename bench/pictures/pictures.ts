/** The pictures that README and docs show, as SVG in GitHub's own colors: the same demo gives the same pictures. */

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { countOf, formatTokens } from "#basics";
import type { StateReport } from "#pi/health";
import { firstPanel, type Line, listedEpisodes, panelLines, span, type Tone, widthOf } from "#pi/screen";

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
/** The terminal of the recording, in columns. */
export const COLUMNS = 92;
/** The size of a terminal's cell and the margin around a picture, in pixels. */
const CELL = { width: 8.4, height: 18 };
const MARGIN = 16;
const TERMINAL_STYLE = `text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre }
.strong { font-weight: 600 }`;

interface PicturedSession {
	/** The session's state at its end. */
	readonly state: StateReport | undefined;
	/** Tokens of each request, as sent and without eviction. */
	readonly contexts: { readonly cwl: readonly number[]; readonly none: readonly number[] };
	readonly budget: number;
	readonly tasks: number;
}

/** Writes them into a folder, from the screens of the demo and from a session. */
export async function writePictures(
	folder: string,
	screens: readonly Screen[],
	{ state, contexts, budget, tasks }: PicturedSession,
) {
	await mkdir(folder, { recursive: true });
	const keep = (name: string, picture: string) => writeFile(join(folder, name), picture);
	await keep("recording.svg", drawRecording(screens));
	if (state) await keep("panel.svg", drawPanel(state));
	await keep("before-after.svg", drawContexts(contexts.none, contexts.cwl, budget, tasks));
}

/** The lines of a terminal at one moment. */
type Screen = readonly string[];

/** The panel of `/cwl`, with the newest episode open that has a description. */
export function drawPanel(report: StateReport): string {
	const cursor = listedEpisodes(report, firstPanel).findIndex(({ description }) => description !== null);
	const state = { ...firstPanel, cursor: Math.max(0, cursor), isOpen: cursor >= 0 };
	const lines = panelLines({ report, state, said: "" }, 120, 40);
	const size = [120 * CELL.width + 2 * MARGIN, lines.length * CELL.height + 2 * MARGIN] as const;
	return drawPicture(size, "The panel of /cwl", TERMINAL_STYLE, [drawLines(lines, 0)]);
}

/** More frames make a larger file, and nobody sees them. */
const MAX_FRAMES = 40;
/** Seconds of a frame, and of the last one. */
const FRAME_TIME = 0.25;
const LAST_TIME = 7;

/** A film of terminal screens. Where motion is not wanted, it shows the last one. */
export function drawRecording(screens: readonly Screen[]): string {
	const count = Math.min(screens.length, MAX_FRAMES);
	const step = Math.max(1, (screens.length - 1) / (MAX_FRAMES - 1));
	const shown = Array.from({ length: count }, (_, i) => screens[Math.round(i * step)] ?? []);
	const width = round(COLUMNS * CELL.width + 2 * MARGIN);
	const height = Math.max(...shown.map((screen) => screen.length)) * CELL.height + 2 * MARGIN;
	const seconds = (count - 1) * FRAME_TIME + LAST_TIME;
	const move = (i: number) => `transform: translateY(${-i * height}px)`;
	const steps = shown.map((_, i) => `${round((100 * i * FRAME_TIME) / seconds)}% { ${move(i)} }`);
	const style = `${TERMINAL_STYLE}
.film { ${move(count - 1)} }
@keyframes film { ${steps.join(" ")} 100% { ${move(count - 1)} } }
@media (prefers-reduced-motion: no-preference) { .film { animation: film ${round(seconds)}s step-end infinite } }`;
	// The inner document cuts off the frames above and below.
	return drawPicture([width, height], "A recording of cwl demo", style, [
		`<svg width="${width}" height="${height}" aria-hidden="true">`,
		`<g class="film">`,
		...shown.map((screen, i) => drawLines(screen.map(paint), i * height)),
		`</g>`,
		`</svg>`,
	]);
}

/** Bars are green, the shell's prompt is strong. */
function paint(text: string): Line {
	const [, full = "", empty = "", rest = ""] = /^(█*)(░*)(.*)$/s.exec(text) ?? [];
	return [span(full, "green"), span(empty, "dim"), span(rest, text.startsWith("$") ? "strong" : "plain")];
}

/** The tokens of each request of a session, without eviction and with cwl. */
export function drawContexts(
	without: readonly number[],
	cwl: readonly number[],
	budget: number,
	tasks: number,
) {
	const left = 24;
	const right = 816;
	const top = 52;
	const bottom = 296;
	const most = Math.max(budget, ...without, ...cwl);
	const x = (request: number) => round(left + ((right - left) * request) / Math.max(1, without.length - 1));
	const y = (tokens: number) => round(bottom - ((bottom - top) * tokens) / (most * 1.15));
	const drawSizes = (sizes: readonly number[], tone: Tone) => {
		const points = sizes.map((size, request) => `${x(request)},${y(size)}`).join(" ");
		return `<polyline class="line ${tone}" stroke-width="2.5" points="${points}"/>`;
	};
	const say = (at: number, height: number, look: string, words: string, anchor = "start") =>
		`<text class="${look}" x="${at}" y="${round(height)}" text-anchor="${anchor}">${escapeText(words)}</text>`;
	const [peak, before] = [cwl, without].map((sizes) => formatTokens(Math.max(0, ...sizes)));
	const verdict = `${countOf(tasks, "task")} in one session: at most ${peak} tokens a request with cwl, ${before} without`;
	const requests = `tokens of each of ${countOf(without.length, "request")}, from the first to the last`;
	const style = `text { font: 15px system-ui, "Segoe UI", "DejaVu Sans", sans-serif } .title { font-weight: 600 }`;
	const above = y(Math.max(...cwl)) - 10;
	// Above the line where that is clear of the budget, below it elsewhere.
	const labelY = above > y(budget) + 30 ? above : bottom - 14;
	return drawPicture([840, 340], verdict, style, [
		say(left, 30, "strong title", verdict),
		`<path class="line red" stroke-width="1.5" stroke-dasharray="6 5" d="M${left},${y(budget)} H${right}"/>`,
		`<path class="line dim" d="M${left},${bottom} H${right}"/>`,
		drawSizes(without, "orange"),
		drawSizes(cwl, "green"),
		say(left + 8, y(budget) - 8, "red", `budget ${formatTokens(budget)}`),
		say(right, y(without.at(-1) ?? 0) - 10, "orange title", "without eviction", "end"),
		say(right - 10, labelY, "green title", "with cwl", "end"),
		say((left + right) / 2, 326, "dim", requests, "middle"),
	]);
}

/** A whole SVG document. */
function drawPicture(
	size: readonly [width: number, height: number],
	label: string,
	style: string,
	content: readonly string[],
): string {
	const colors = (page: 0 | 1) =>
		Object.entries(palette)
			.map(([tone, { [page]: color }]) => `.${tone} { --color: ${color} }`)
			.join(" ");
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.map(round).join(" ")}" role="img" aria-label="${escapeText(label)}">
<style>
${style}
[class] { fill: var(--color) }
.line { fill: none; stroke: var(--color) }
${colors(0)}
@media (prefers-color-scheme: dark) { ${colors(1)} }
</style>
<rect class="page" width="100%" height="100%" rx="10"/>
${content.join("\n")}
</svg>
`;
}

/** The lines of a terminal. Each piece is stretched to its columns, so that any font fits. */
function drawLines(lines: readonly Line[], top: number): string {
	const drawLine = (line: Line, index: number) => {
		let column = 0;
		const pieces = line.map(({ text, tone }) => {
			const x = round(MARGIN + column * CELL.width);
			const width = round(widthOf(text) * CELL.width);
			column += widthOf(text);
			return drawPiece(text, tone, x, top + MARGIN + index * CELL.height, width);
		});
		return pieces.join("");
	};
	return lines.map(drawLine).join("\n");
}

/** The share of its cell that a block fills. */
const blocks: Readonly<Record<string, number>> = { "█": 1, "▓": 0.75, "░": 0.25 };

/** Blocks are rectangles, since fonts leave gaps between them; everything else is text. */
function drawPiece(text: string, tone: Tone, x: number, y: number, width: number): string {
	if (text.trim() === "") return "";
	const share = text === text.charAt(0).repeat(text.length) ? blocks[text.charAt(0)] : undefined;
	if (share !== undefined)
		return `<rect class="${tone}" x="${x}" y="${y + 3}" width="${width}" height="${CELL.height - 6}" opacity="${share}"/>`;
	return `<text class="${tone}" x="${x}" y="${y + CELL.height - 5}" textLength="${width}">${escapeText(text)}</text>`;
}

const round = (pixels: number) => Math.round(pixels * 10) / 10;

function escapeText(text: string): string {
	return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
