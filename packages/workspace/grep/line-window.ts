/** The place of a match: the line from 1, and the bytes of UTF-8 in front of the first match in it. */
export interface Hit {
	readonly line: number;
	readonly bytesBefore: number;
}

export interface GrepLine {
	readonly type: "match" | "context";
	/** From 1. */
	readonly number: number;
	readonly text: string;
}

/** The limit is that of pi's own grep. */
const MAX_LINE_CHARS = 500;
const CHARS_BEFORE_MATCH = 120;
const LINE_FEED = 0x0a;

/**
 * Returns the lines of the first `keep` hits with `context` lines around each. Lines from the first further hit on are
 * left out: it is not counted as shown.
 *
 * @param file the bytes of the whole file
 */
export function collectLines(
	file: Buffer,
	hits: readonly Hit[],
	keep: number,
	context: number,
): readonly GrepLine[] {
	const kept = new Map(hits.slice(0, keep).map((hit) => [hit.line, hit]));
	const end = hits[keep]?.line ?? Infinity;
	const wanted = new Set([...kept.keys()].flatMap((line) => around(line, context)));
	const last = Math.min((hits[Math.min(keep, hits.length) - 1]?.line ?? 0) + context, end - 1);
	const lines: GrepLine[] = [];
	const bytes = toUtf8(file);
	for (let number = 1, start = 0; number <= last && start < bytes.length; number += 1) {
		const next = bytes.indexOf(LINE_FEED, start);
		const stop = next === -1 ? bytes.length : next;
		if (wanted.has(number)) lines.push(readLine(bytes.subarray(start, stop), number, kept.get(number)));
		start = stop + 1;
	}
	return lines;
}

function around(line: number, context: number): readonly number[] {
	return Array.from({ length: 2 * context + 1 }, (_, at) => line - context + at);
}

function readLine(bytes: Buffer, number: number, hit: Hit | undefined): GrepLine {
	const text = bytes.toString("utf8");
	if (hit === undefined) return { type: "context", number, text: cutLine(text, 0) };
	const matchStart = bytes.toString("utf8", 0, hit.bytesBefore).length;
	return { type: "match", number, text: cutLine(text, matchStart) };
}

/** Drops the CR of a line, and shortens it around the match when it is longer than 500 characters. */
function cutLine(text: string, matchStart: number): string {
	const line = text.endsWith("\r") ? text.slice(0, -1) : text;
	if (line.length <= MAX_LINE_CHARS) return line;
	const from = Math.max(0, Math.min(matchStart - CHARS_BEFORE_MATCH, line.length - MAX_LINE_CHARS));
	const to = from + MAX_LINE_CHARS;
	return `${from > 0 ? "…" : ""}${line.slice(from, to)}${to < line.length ? "…" : ""}`;
}

/** Encodings that a file may announce by its first two bytes; ripgrep reads the same. */
const MARKS = [
	[0xff, 0xfe, "utf-16le"],
	[0xfe, 0xff, "utf-16be"],
] as const;

function readMark(head: Uint8Array): string | undefined {
	return MARKS.find(([first, second]) => head[0] === first && head[1] === second)?.[2];
}

function toUtf8(file: Buffer): Buffer {
	const encoding = readMark(file);
	if (encoding !== undefined) return Buffer.from(new TextDecoder(encoding).decode(file), "utf8");
	const hasMark = file[0] === 0xef && file[1] === 0xbb && file[2] === 0xbf;
	return hasMark ? file.subarray(3) : file;
}

/**
 * True for a file that is skipped as binary: it holds a NUL in its first 8 KiB, as git and grep decide, and is not UTF-16.
 *
 * @param head the first 8 KiB
 */
export function isBinary(head: Buffer): boolean {
	return head.includes(0) && readMark(head) === undefined;
}
