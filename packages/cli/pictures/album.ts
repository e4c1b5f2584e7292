/** The pictures of a demo, which the README and the docs show: the same demo gives the same pictures. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { firstPanel, type Line, listedEpisodes, panelLines, type StateReport, span } from "#pi";
import type { DemoProgress, DemoSummary } from "../demo-run.ts";
import { createBlock, type DemoScreen } from "../demo-screen.ts";
import { drawContexts } from "./context-figure.ts";
import { CELL, drawLine, drawPicture, MARGIN, round, terminalStyle } from "./svg.ts";

export interface Album {
	add(progress: DemoProgress): void;
	/** Writes the pictures; `text` is what the demo prints at its end. */
	write(summary: DemoSummary, text: string): Promise<void>;
}

/** The terminal of the recording, in columns. */
const COLUMNS = 92;

/** Collects what the pictures show, and writes them into a folder; `flag` is the budget as it was typed. */
export function createAlbum(folder: string, screen: DemoScreen, flag: string): Album {
	const follow = createBlock(screen, () => COLUMNS);
	const command = `$ cwl demo --tasks ${screen.tasks} --budget ${flag}`;
	const frames: (readonly string[])[] = [];
	let state: StateReport | undefined;
	return {
		add(progress) {
			if (progress.type === "state") state = progress.report;
			const lines = follow(progress);
			if (progress.type === "request" || progress.type === "verified") frames.push([command, ...lines]);
		},
		async write(summary, text) {
			await mkdir(folder, { recursive: true });
			const keep = (name: string, picture: string) => writeFile(join(folder, name), picture);
			await keep("recording.svg", drawRecording([...frames, [command, ...wrapLines(text.trim())]], COLUMNS));
			if (state) {
				await keep("panel.svg", drawPanel(state, { columns: 120, lines: 40 }));
				await keep("panel-narrow.svg", drawPanel(state, { columns: 60, lines: 30 }));
			}
			const { costs, budget } = summary;
			if (!costs) return;
			const [cwl, , none] = costs.costs;
			await keep(
				"before-after.svg",
				drawContexts({ cwl: cwl.contexts, without: none.contexts, budget, tasks: screen.tasks }),
			);
		},
	};
}

/** As a terminal shows it, but broken between words. */
function wrapLines(text: string): readonly string[] {
	const fitting = new RegExp(`.{1,${COLUMNS}}(?:\\s|$)`, "g");
	return text
		.split("\n")
		.flatMap((line) => (line.length <= COLUMNS ? [line] : (line.match(fitting) ?? [line])));
}

/** The size of the terminal, in columns and lines. */
export interface TerminalSize {
	readonly columns: number;
	readonly lines: number;
}

/** A whole SVG document; the newest episode that has a description is open. The same state gives the same picture. */
export function drawPanel(report: StateReport, size: TerminalSize): string {
	const cursor = listedEpisodes(report, firstPanel).findIndex(({ description }) => description !== null);
	const state = { ...firstPanel, cursor: Math.max(0, cursor), isOpen: cursor >= 0 };
	const lines = panelLines({ report, state, said: "" }, size.columns, size.lines);
	return drawPicture({
		width: size.columns * CELL.width + 2 * MARGIN,
		height: lines.length * CELL.height + 2 * MARGIN,
		label: "The panel of /cwl",
		style: terminalStyle,
		content: lines.map((line, index) => drawLine(line, MARGIN + index * CELL.height)),
	});
}

/** The lines of a terminal at one moment. */
type Frame = readonly string[];

/** More frames make a larger file, and nobody sees them. */
const MAX_FRAMES = 40;
/** Seconds of a frame, and of the last one. */
const FRAME_TIME = 0.25;
const LAST_TIME = 7;

/** A whole SVG document. Where motion is not wanted, it shows the last frame. */
export function drawRecording(frames: readonly Frame[], columns: number): string {
	const shown = sample(frames);
	const lines = Math.max(1, ...shown.map((frame) => frame.length));
	const width = columns * CELL.width + 2 * MARGIN;
	const height = lines * CELL.height + 2 * MARGIN;
	const seconds = (shown.length - 1) * FRAME_TIME + LAST_TIME;
	const steps = shown.map(
		(_, i) =>
			`${round((1_000 * i * FRAME_TIME) / seconds) / 10}% { transform: translateY(${-i * height}px) }`,
	);
	const last = `transform: translateY(${-(shown.length - 1) * height}px)`;
	return drawPicture({
		...{ width, height, label: "A recording of cwl demo" },
		style: [
			...terminalStyle,
			`.film { ${last} }`,
			`@keyframes film { ${steps.join(" ")} 100% { ${last} } }`,
			`@media (prefers-reduced-motion: no-preference) { .film { animation: film ${round(seconds)}s step-end infinite } }`,
		],
		// The inner document cuts off the frames above and below.
		content: [
			`<svg width="${round(width)}" height="${height}" aria-hidden="true">`,
			`<g class="film">`,
			...shown.flatMap((frame, i) => drawFrame(frame, i * height)),
			`</g>`,
			`</svg>`,
		],
	});
}

/** The last frame, and as many of those before it, evenly. */
function sample(frames: readonly Frame[]): readonly Frame[] {
	const step = Math.max(1, (frames.length - 1) / (MAX_FRAMES - 1));
	const count = Math.min(frames.length, MAX_FRAMES);
	return Array.from({ length: count }, (_, i) => frames[Math.round(i * step)] ?? []);
}

function drawFrame(frame: Frame, top: number): readonly string[] {
	return frame.map((text, i) => drawLine(painted(text), top + MARGIN + i * CELL.height));
}

/** Bars are green, the shell's prompt is dim. */
function painted(text: string): Line {
	const [bar = ""] = /^[█░]+/.exec(text) ?? [];
	const full = bar.replaceAll("░", "");
	const rest = text.slice(bar.length);
	return [
		span(full, "green"),
		span(bar.slice(full.length), "dim"),
		span(rest, text.startsWith("$") ? "strong" : "plain"),
	];
}
