/** The panel as a picture: the lines that a terminal would show, in SVG, for light and for dark pages. */
import { firstPanel, type Line, listedEpisodes, panelLines, type StateReport, type Tone, widthOf } from "#pi";

/** The size of the terminal, in columns and lines. */
const SIZE = { width: 104, height: 34 };
/** The size of a cell and the margin around the picture, in pixels. */
const CELL = { width: 8.4, height: 18 };
const FONT_SIZE = 14;
const MARGIN = 16;

/** Colors of GitHub's own light and dark pages. */
const light: Readonly<Record<Tone | "page", string>> = {
	page: "#f6f8fa",
	plain: "#1f2328",
	strong: "#1f2328",
	dim: "#818b98",
	green: "#1a7f37",
	yellow: "#9a6700",
	orange: "#bc4c00",
	red: "#d1242f",
	blue: "#0969da",
	cyan: "#1b7c83",
	magenta: "#bf3989",
	violet: "#8250df",
};
const dark: typeof light = {
	page: "#151b23",
	plain: "#d1d7e0",
	strong: "#f0f6fc",
	dim: "#6e7681",
	green: "#3fb950",
	yellow: "#d29922",
	orange: "#f0883e",
	red: "#f85149",
	blue: "#58a6ff",
	cyan: "#39c5cf",
	magenta: "#f778ba",
	violet: "#bc8cff",
};

/** A whole SVG document; the newest episode that has a description is open. The same state gives the same picture. */
export function drawPanel(report: StateReport): string {
	const cursor = listedEpisodes(report, firstPanel).findIndex(({ description }) => description !== null);
	const state = { ...firstPanel, cursor: Math.max(0, cursor), isOpen: cursor >= 0 };
	const lines = panelLines({ report, state, said: "" }, SIZE.width, SIZE.height);
	const width = SIZE.width * CELL.width + 2 * MARGIN;
	const height = lines.length * CELL.height + 2 * MARGIN;
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${height}" role="img" aria-label="The panel of /cwl">`,
		`<style>`,
		`text { font: ${FONT_SIZE}px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre }`,
		`.strong { font-weight: 600 }`,
		colors(light),
		`@media (prefers-color-scheme: dark) {\n${colors(dark)}\n}`,
		`</style>`,
		`<rect class="page" width="100%" height="100%" rx="10"/>`,
		...lines.map((line, index) => drawLine(line, MARGIN + index * CELL.height)),
		`</svg>`,
		"",
	].join("\n");
}

function colors(palette: typeof light): string {
	return Object.entries(palette)
		.map(([name, colour]) => `.${name} { fill: ${colour} }`)
		.join("\n");
}

/** Places each piece at its column and stretches it to its width, so that any font fits. */
function drawLine(line: Line, top: number): string {
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

function round(pixels: number): number {
	return Math.round(pixels * 10) / 10;
}

function escapeText(text: string): string {
	return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}
