/**
 * Text as a terminal shows it, and lines of a panel before they are painted. string-width measures text and does
 * not clean it, and gives some characters of wide blocks one column, which a terminal with an older table draws in
 * two.
 */

/** Escape sequences of terminals: CSI, OSC and the other string commands, and the short ones. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const SEQUENCE = /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])?/g;
/** Controls, marks of direction, what joins to the character before, and what no two terminals agree about. */
const UNSTEADY =
	/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{M}\p{Zl}\p{Zp}\p{Emoji_Modifier}\p{Regional_Indicator}]/gu;

const SEGMENTS = new Intl.Segmenter("en", { granularity: "grapheme" });

/** One line that moves no cursor, hides nothing and runs in one direction; white space becomes a space. */
export function plainLine(text: string): string {
	return text.replace(SEQUENCE, "").replace(/\s/gu, " ").replace(UNSTEADY, "").normalize("NFC");
}

/** Columns of a plain line. */
export function widthOf(text: string): number {
	let width = 0;
	for (const { segment } of SEGMENTS.segment(text)) width += widthOfSegment(segment);
	return width;
}

/** The plain line of a text in at most `width` columns; what was longer ends in an ellipsis. */
export function shorten(text: string, width: number): string {
	const plain = plainLine(text);
	if (widthOf(plain) <= width) return plain;
	let fitted = "";
	let left = width - 1;
	for (const { segment } of SEGMENTS.segment(plain)) {
		left -= widthOfSegment(segment);
		if (left < 0) break;
		fitted += segment;
	}
	return width > 0 ? `${fitted}…` : "";
}

/** The East Asian blocks, their signs elsewhere (brackets, trigrams) and emoji; a block counts whole, so that a width is never too small. */
const WIDE =
	/^[\p{Emoji_Presentation}\u1100-\u11ff\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe10-\ufe6f\uff00-\uffef\u{16000}-\u{10ffff}]/u;

function widthOfSegment(segment: string): number {
	return segment.charCodeAt(0) >= 0x1100 && WIDE.test(segment) ? 2 : 1;
}

export type Tone =
	| "green"
	| "yellow"
	| "orange"
	| "red"
	| "plain"
	| "dim"
	| "strong"
	| "blue"
	| "cyan"
	| "magenta"
	| "violet";

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

/** The first spans, and of the others those that still fit whole. */
export function wholeSpans(line: Line, width: number): Line {
	let left = width;
	return line.filter(({ text }) => {
		const columns = widthOf(plainLine(text));
		if (columns > left) return false;
		left -= columns;
		return true;
	});
}

/** The last place where a sentence can end without breaking a figure or a name. */
const PART_END = /(?:[,;:.]|(?<=\))) (?!.*(?:[,;:.]|\)) )/u;

/** Words over as many lines as they need, at most `most`: a longer text ends behind a part of a sentence, or where that is far away, behind a word. */
export function wrap(text: string, width: number, most: number, tone: Tone = "plain"): readonly Line[] {
	const words = plainLine(text)
		.split(" ")
		.filter((word) => word !== "");
	const lines = flow(
		words.map((word) => [span(word, tone)]),
		width,
		" ",
	).map((line) => [span(line.map(({ text: word }) => word).join(""), tone)]);
	if (lines.length <= most) return lines;
	const shown = lines
		.slice(0, most)
		.map(([line]) => line?.text)
		.join(" ");
	const end = shown.search(PART_END);
	const cut = end > shown.length / 2 ? end : shown.lastIndexOf(" ");
	return wrap(`${shown.slice(0, Math.max(0, cut))} …`, width, Infinity, tone);
}

/** A head and the words behind it, over as many lines as they need: every line begins in the column of the first word. */
export function hang(head: string, text: string, width = Infinity): string {
	const indent = widthOf(head);
	const lines = wrap(text, width - indent, Infinity).map((line) => line.map((part) => part.text).join(""));
	return head + lines.join(`\n${" ".repeat(indent)}`);
}

/** The line as a string for whoever paints. */
export function paintLine(line: Line, paint: Paint): string {
	return line.map(({ text, tone }) => paint(tone, text)).join("");
}
