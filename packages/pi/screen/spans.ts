/** Lines of a panel before they are painted: pieces of text, each with a tone, so that a width is counted without colours. */
import type { Zone } from "#core/health";
import { plainLine, shorten, widthOf } from "./columns.ts";

export type Tone = Zone | "plain" | "dim" | "strong" | "blue" | "cyan" | "magenta" | "violet";

export interface Span {
	readonly text: string;
	readonly tone: Tone;
}

export type Line = readonly Span[];

/** Puts a tone on a piece of text, without a column more. */
export type Paint = (tone: Tone, text: string) => string;

export function span(text: string, tone: Tone = "plain"): Span {
	return { text, tone };
}

export function widthOfLine(line: Line): number {
	return line.reduce((width, { text }) => width + widthOf(plainLine(text)), 0);
}

/** The line in exactly `width` columns, its names made harmless; what was longer ends in an ellipsis. */
export function fitLine(line: Line, width: number): Line {
	const fitted: Span[] = [];
	let left = width;
	for (const { text, tone } of line) {
		const piece = shorten(text, left);
		if (piece !== "") fitted.push({ text: piece, tone });
		left -= widthOf(piece);
	}
	return left > 0 ? [...fitted, span(" ".repeat(left))] : fitted;
}

/** Left and right of a line of `width` columns; the right part stays, the left is cut. */
export function spread(left: Line, right: Line, width: number): Line {
	const room = Math.max(0, width - widthOfLine(right));
	return fitLine([...fitLine(left, room), ...right], width);
}

/** Pieces one after the other over as many lines as they need, none of them broken. */
export function flow(pieces: readonly Line[], width: number, separator: string): readonly Line[] {
	const lines: Line[] = [];
	let line: Line = [];
	for (const piece of pieces) {
		const longer = line.length === 0 ? piece : [...line, span(separator, "dim"), ...piece];
		if (line.length > 0 && widthOfLine(longer) > width) {
			lines.push(line);
			line = piece;
		} else line = longer;
	}
	return line.length === 0 ? lines : [...lines, line];
}

/** Words over as many lines as they need, at most `most`. */
export function wrap(text: string, width: number, most: number, tone: Tone = "plain"): readonly Line[] {
	const words = plainLine(text)
		.split(" ")
		.filter((word) => word !== "");
	const lines = flow(
		words.map((word) => [span(word, tone)]),
		width,
		" ",
	).map((line) => [span(line.map(({ text: word }) => word).join(""), tone)]);
	const last = lines[most - 1];
	return last && lines.length > most
		? [...lines.slice(0, most - 1), fitLine([...last, span(" …", tone)], width)]
		: lines;
}

/** The line as a string for whoever paints. */
export function paintLine(line: Line, paint: Paint): string {
	return line.map(({ text, tone }) => paint(tone, text)).join("");
}
