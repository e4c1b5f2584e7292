/**
 * Lines of a file, one at a time. `node:readline` is no help here: it also ends lines at U+2028, which JSON leaves
 * unescaped in strings, and it does not tell whether the last line was ended.
 */
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";

export interface Line {
	/** From 1. */
	readonly number: number;
	/** Missing when the line is longer than the limit. */
	readonly text: string | undefined;
	/** False for a last line without a newline: the writer may have been cut off in it. */
	readonly isEnded: boolean;
}

/** Longer lines are passed over, so that a file that is no session cannot fill the memory. In UTF-16 units. */
export const LINE_LIMIT = 64 * 1024 * 1024;

/** Read a file line by line, holding one line at a time. Rejects with the system's error when it cannot be read. */
export async function* readLines(path: string, limit: number = LINE_LIMIT): AsyncGenerator<Line> {
	let rest: string | undefined = "";
	let number = 1;
	for await (const chunk of createReadStream(path, { encoding: "utf8" })) {
		const pieces = String(chunk).split("\n");
		const tail = pieces.pop() ?? "";
		for (const piece of pieces) {
			yield { number, text: grow(rest, piece, limit), isEnded: true };
			rest = "";
			number += 1;
		}
		rest = grow(rest, tail, limit);
	}
	if (rest !== "") yield { number, text: rest, isEnded: false };
}

function grow(line: string | undefined, piece: string, limit: number): string | undefined {
	return line === undefined || line.length + piece.length > limit ? undefined : line + piece;
}

/** Where a line stands in its file. */
export interface LineSpan {
	/** From 1. */
	readonly number: number;
	/** Of its first byte, in bytes. */
	readonly start: number;
	/** Without the newline. */
	readonly bytes: number;
}

/** The lines of a file without what they hold. Rejects with the system's error when it cannot be read. */
export async function* findLines(path: string): AsyncGenerator<LineSpan> {
	let [number, start, passed] = [1, 0, 0];
	for await (const chunk of createReadStream(path)) {
		const bytes: Buffer = chunk;
		for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) {
			yield { number, start, bytes: passed + at - start };
			number += 1;
			start = passed + at + 1;
		}
		passed += bytes.length;
	}
	if (passed > start) yield { number, start, bytes: passed - start };
}

const NEWLINE = 10;

/** One line of a file, without the others. */
export async function readLineAt(path: string, { start, bytes }: LineSpan): Promise<string> {
	const file = await open(path);
	try {
		const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, start);
		return buffer.toString("utf8", 0, bytesRead);
	} finally {
		await file.close();
	}
}

/** The first non-empty lines of a file, to recognise its format by. */
export async function readFirstLines(path: string, count: number): Promise<readonly string[]> {
	const first: string[] = [];
	for await (const { text } of readLines(path)) {
		if (text?.trim()) first.push(text);
		if (first.length >= count) break;
	}
	return first;
}
