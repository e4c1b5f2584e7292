/** As pi's own grep. */
const MAX_LINE_CHARS = 500;
const CHARS_BEFORE_MATCH = 120;

/**
 * A line as it is shown: without its CR, and around the match when it is longer than 500 characters.
 *
 * @param {string} text
 * @param {number} matchStart
 * @returns {string}
 */
export function cutLine(text, matchStart) {
	const line = text.endsWith("\r") ? text.slice(0, -1) : text;
	if (line.length <= MAX_LINE_CHARS) return line;
	const from = Math.max(0, Math.min(matchStart - CHARS_BEFORE_MATCH, line.length - MAX_LINE_CHARS));
	const to = from + MAX_LINE_CHARS;
	return `${from > 0 ? "…" : ""}${line.slice(from, to)}${to < line.length ? "…" : ""}`;
}

/** Encodings whose mark a file may begin with; ripgrep looks for the same. */
const MARKS = [
	[0xff, 0xfe, "utf-16le"],
	[0xfe, 0xff, "utf-16be"],
];

/**
 * The encoding of UTF-16 text by its mark, undefined for any other file.
 *
 * @param {Uint8Array} head the first bytes
 * @returns {string | undefined}
 */
export function readMark(head) {
	return MARKS.find(([first, second]) => head[0] === first && head[1] === second)?.[2];
}

/**
 * A file that is skipped as binary: a NUL in its first 8 KB, as git and grep judge, unless it is UTF-16.
 *
 * @param {Buffer} head the first 8 KB
 * @returns {boolean}
 */
export function isBinary(head) {
	return head.includes(0) && readMark(head) === undefined;
}
