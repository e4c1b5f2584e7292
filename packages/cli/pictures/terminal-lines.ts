/** Lines of a terminal as SVG: every cell at its place, whatever the font. */
import { type Line, type Tone, widthOf } from "#pi";
import { escapeText, round } from "./picture.ts";

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
