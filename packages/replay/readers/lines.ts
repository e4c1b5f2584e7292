/**
 * Lines of a file, one at a time. `node:readline` is no help here: it also ends lines at U+2028, which JSON leaves
 * unescaped in strings, and it does not tell whether the last line was ended.
 */
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { CwlError } from "#pi";
import { type Fields, parseFields } from "./json.ts";

/** The place of a line in its file. */
export interface LineSpan {
	/** From 1. */
	readonly number: number;
	/** Byte offset of the line. */
	readonly start: number;
	/** Without the newline. */
	readonly bytes: number;
}

export interface Line extends LineSpan {
	/** Missing when the line is longer than the limit. */
	readonly text: string | undefined;
	/** False for a last line without a newline: the writer may have been cut off in it. */
	readonly isEnded: boolean;
}

/** Longer lines are passed over, so that a file that is no session cannot fill the memory. In bytes. */
const LINE_LIMIT = 64 * 1024 * 1024;
const NEWLINE = 10;

/** Reads a file line by line, holding one line at a time. Rejects with the system's error when it cannot be read. */
export async function* readLines(path: string, limit: number = LINE_LIMIT): AsyncGenerator<Line> {
	let number = 1;
	let start = 0;
	let bytes = 0;
	let pieces: Buffer[] = [];
	const grow = (piece: Buffer) => {
		bytes += piece.length;
		if (bytes <= limit) pieces.push(piece);
		else pieces = [];
	};
	const end = (isEnded: boolean): Line => {
		const text = bytes <= limit ? Buffer.concat(pieces).toString("utf8") : undefined;
		return { number, start, bytes, text, isEnded };
	};
	for await (const chunk of createReadStream(path)) {
		const buffer: Buffer = chunk;
		let from = 0;
		for (let at = buffer.indexOf(NEWLINE); at >= 0; at = buffer.indexOf(NEWLINE, from)) {
			grow(buffer.subarray(from, at));
			yield end(true);
			number = number + 1;
			start = start + bytes + 1;
			bytes = 0;
			pieces = [];
			from = at + 1;
		}
		grow(buffer.subarray(from));
	}
	if (bytes > 0) yield end(false);
}

/** Bytes of a file as text; fewer where it ends. */
export async function readBytes(path: string, start: number, bytes: number): Promise<string> {
	const file = await open(path);
	try {
		const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, start);
		return buffer.toString("utf8", 0, bytesRead);
	} finally {
		await file.close();
	}
}

/** The first non-empty lines of a file, from which its format is recognized. */
export async function readFirstLines(path: string, count: number): Promise<readonly string[]> {
	const first: string[] = [];
	for await (const { text } of readLines(path)) {
		if (text?.trim()) first.push(text);
		if (first.length >= count) break;
	}
	return first;
}

/**
 * The object on each line; one line is in memory at a time. What is no JSON object is noted as damage, with the number of its
 * line, and skipped. Rejects with a `CwlError` when the file cannot be read.
 */
export async function* readObjects(
	path: string,
	note: (line: number, reason: string) => void,
): AsyncGenerator<readonly [entry: Fields, line: LineSpan]> {
	try {
		for await (const line of readLines(path)) {
			const { number, text, isEnded } = line;
			if (text?.trim() === "") continue;
			const entry = text === undefined ? undefined : parseFields(text);
			if (entry) yield [entry, line];
			else if (text === undefined) note(number, "too long for a line of a session: skipped");
			else note(number, isEnded ? "no JSON object: skipped" : "cut off while it was written: skipped");
		}
	} catch (error) {
		throw fileError(path, error);
	}
}

/** The system's error for a path, with the remedy. Throws any other error again. */
export function fileError(path: string, error: unknown): CwlError {
	if (error instanceof CwlError) return error;
	const code = error instanceof Error && "code" in error ? error.code : undefined;
	if (typeof code !== "string") throw error;
	if (code === "ENOENT") {
		return new CwlError("not-found", `${path}: there is no such file or folder; check the path.`);
	}
	const remedy = code === "EACCES" || code === "EPERM" ? "make it readable or leave it out" : "leave it out";
	return new CwlError("not-readable", `${path}: cannot be read (${code}); ${remedy}.`);
}
