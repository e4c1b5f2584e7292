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

/**
 * A file that is skipped as binary: a NUL in its first 8 KB, as git and grep judge, or the mark of UTF-16.
 *
 * @param {Buffer} head the first 8 KB
 * @returns {boolean}
 */
export function isBinary(head) {
	const mark = head.length > 1 ? head.readUInt16BE(0) : 0;
	return mark === 0xfffe || mark === 0xfeff || head.includes(0);
}
