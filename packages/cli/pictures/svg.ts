/** The shared parts of all pictures: the colors of GitHub's own light and dark pages, a frame, and the lines of a terminal. */
import { type Line, type Tone, widthOf } from "#pi";

type Palette = Readonly<Record<Tone | "page", string>>;

const light: Palette = {
	page: "#f6f8fa",
	plain: "#1f2328",
	strong: "#1f2328",
	dim: "#6a737d",
	green: "#1a7f37",
	yellow: "#9a6700",
	orange: "#bc4c00",
	red: "#d1242f",
	blue: "#0969da",
	cyan: "#1b7c83",
	magenta: "#bf3989",
	violet: "#8250df",
};
const dark: Palette = {
	page: "#151b23",
	plain: "#d1d7e0",
	strong: "#f0f6fc",
	dim: "#8b949e",
	green: "#3fb950",
	yellow: "#d29922",
	orange: "#f0883e",
	red: "#f85149",
	blue: "#58a6ff",
	cyan: "#39c5cf",
	magenta: "#f778ba",
	violet: "#bc8cff",
};

export interface Picture {
	/** Pixels. */
	readonly width: number;
	readonly height: number;
	/** For readers who cannot see it. */
	readonly label: string;
	readonly style: readonly string[];
	readonly content: readonly string[];
}

/** A whole SVG document. */
export function drawPicture({ width, height, label, style, content }: Picture): string {
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" role="img" aria-label="${escapeText(label)}">`,
		`<style>`,
		...style,
		colors(light),
		`@media (prefers-color-scheme: dark) {\n${colors(dark)}\n}`,
		`</style>`,
		`<rect class="page" width="100%" height="100%" rx="10"/>`,
		...content,
		`</svg>`,
		"",
	].join("\n");
}

function colors(palette: Palette): string {
	return Object.entries(palette)
		.map(([name, color]) => `.${name} { fill: ${color} } .line.${name} { fill: none; stroke: ${color} }`)
		.join("\n");
}

export function round(pixels: number): number {
	return Math.round(pixels * 10) / 10;
}

export function escapeText(text: string): string {
	return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

/** The size of a cell and the margin around the picture, in pixels. */
export const CELL = { width: 8.4, height: 18 };
export const MARGIN = 16;

const FONT_SIZE = 14;

export const terminalStyle = [
	`text { font: ${FONT_SIZE}px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre }`,
	`.strong { font-weight: 600 }`,
];

/** One line with its upper edge at `top`. Each piece is stretched to its columns, so that any font fits. */
export function drawLine(line: Line, top: number): string {
	let column = 0;
	const pieces = line.map(({ text, tone }) => {
		const x = MARGIN + column * CELL.width;
		const columns = widthOf(text);
		column += columns;
		return drawPiece(text, tone, x, top, columns * CELL.width);
	});
	return pieces.join("");
}

/** Draws blocks as rectangles, since fonts leave gaps between them, and everything else as text. */
function drawPiece(text: string, tone: Tone, x: number, top: number, width: number): string {
	if (text.trim() === "") return "";
	const share = blocks[text[0] ?? ""];
	if (share !== undefined && [...text].every((character) => character === text[0])) {
		const height = CELL.height - 6;
		return `<rect class="${tone}" x="${round(x)}" y="${top + 3}" width="${round(width)}" height="${height}" opacity="${share}"/>`;
	}
	if (text.trim() === "│") {
		const middle = x + (text.indexOf("│") + 0.5) * CELL.width;
		return `<rect class="${tone}" x="${round(middle - 0.5)}" y="${top}" width="1" height="${CELL.height}"/>`;
	}
	const y = top + CELL.height - 5;
	return `<text class="${tone}" x="${round(x)}" y="${y}" textLength="${round(width)}">${escapeText(text)}</text>`;
}

/** The share of its cell that a block fills. */
const blocks: Readonly<Record<string, number>> = { "█": 1, "▓": 0.75, "░": 0.25 };
