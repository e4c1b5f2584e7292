/**
 * Lines of a file, one at a time. `node:readline` is no help here: it also ends lines at U+2028, which JSON leaves
 * unescaped in strings, and it does not tell whether the last line was ended.
 */
import { createReadStream } from "node:fs";

export interface Line {
	/** From 1. */
	readonly number: number;
	/** Missing when the line is longer than the limit. */
	readonly text: string | undefined;
	/** False for a last line without a newline: the writer may have been cut off in it. */
	readonly isEnded: boolean;
}

/** Longer lines are passed over, so that a file that is no session cannot fill the memory. In UTF-16 units. */
const LINE_LIMIT = 64 * 1024 * 1024;

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

/** The first non-empty lines of a file, to recognise its format by. */
export async function readFirstLines(path: string, count: number): Promise<readonly string[]> {
	const first: string[] = [];
	for await (const { text } of readLines(path)) {
		if (text?.trim()) first.push(text);
		if (first.length >= count) break;
	}
	return first;
}
