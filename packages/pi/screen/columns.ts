/**
 * Text as a terminal shows it: what would steer the terminal is taken out, and nothing is wider than its place.
 * string-width measures text and does not clean it, and gives some characters of wide blocks one column, which a
 * terminal with an older table draws in two.
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

/** The East Asian blocks, their signs elsewhere (brackets, trigrams) and emoji are two columns wide; a block counts whole, so that a width is never too small. */
function widthOfSegment(segment: string): number {
	const point = segment.codePointAt(0) ?? 0;
	if (point < 0x1100) return 1;
	if (/^\p{Emoji_Presentation}/u.test(segment)) return 2;
	const isWide =
		point <= 0x11ff ||
		point === 0x2329 ||
		point === 0x232a ||
		(point >= 0x2630 && point <= 0x2637) ||
		(point >= 0x268a && point <= 0x268f) ||
		(point >= 0x2e80 && point <= 0xa4cf) ||
		(point >= 0xa960 && point <= 0xa97f) ||
		(point >= 0xac00 && point <= 0xd7ff) ||
		(point >= 0xf900 && point <= 0xfaff) ||
		(point >= 0xfe10 && point <= 0xfe6f) ||
		(point >= 0xff00 && point <= 0xffef) ||
		point >= 0x16000;
	return isWide ? 2 : 1;
}
