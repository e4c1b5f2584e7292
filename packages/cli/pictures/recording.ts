/** A short recording of a terminal as an animated SVG: the frames stand below one another, and the picture moves over them. */
import { type Line, span } from "#pi";
import { drawPicture, round } from "./picture.ts";
import { CELL, drawLine, MARGIN, terminalStyle } from "./terminal-lines.ts";

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
