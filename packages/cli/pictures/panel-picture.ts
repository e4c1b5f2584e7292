/** The panel as a picture: the lines that a terminal would show. */
import { firstPanel, listedEpisodes, panelLines, type StateReport } from "#pi";
import { drawPicture } from "./picture.ts";
import { CELL, drawLine, MARGIN, terminalStyle } from "./terminal-lines.ts";

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
