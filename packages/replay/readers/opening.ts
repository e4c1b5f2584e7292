/** Reads the beginning of a file or folder, from which the format can be recognized, without a guess at the format. */
import { readFile, stat } from "node:fs/promises";
import { CwlError } from "#pi";
import { listEventFiles } from "./event-stream.ts";
import { fileError } from "./file-error.ts";
import { parseFields, parseJson } from "./json.ts";
import { readFirstLines } from "./lines.ts";
import type { Opening } from "./session-reader.ts";

/** Enough to pass a damaged header, and what programs write ahead of the first message. */
const RECOGNISED_BY = 8;

/** A document is in memory as a whole while it is read, so a larger one is refused. In bytes. */
const MAX_DOCUMENT = 256 * 1024 * 1024;

/** Rejects with a `CwlError` when the path cannot be read, or is a document that is too large or damaged. */
export async function readOpening(path: string): Promise<Opening> {
	try {
		const found = await stat(path);
		if (found.isDirectory()) return await openFolder(path);
		const firstLines = await readFirstLines(path, RECOGNISED_BY);
		const document = isDocument(firstLines) ? await readDocument(path, found.size) : undefined;
		return { path, isFolder: false, firstLines, document };
	} catch (error) {
		throw fileError(path, error);
	}
}

async function openFolder(path: string): Promise<Opening> {
	const files = (await listEventFiles(path)).slice(0, RECOGNISED_BY);
	const firstLines = await Promise.all(files.map((file) => readFile(file, "utf8")));
	return { path, isFolder: true, firstLines, document: undefined };
}

/** One line alone may be a document; several are one when none of them is whole by itself. */
function isDocument(firstLines: readonly string[]): boolean {
	const [first, ...others] = firstLines;
	if (first === undefined || !/^\uFEFF?\s*[[{]/.test(first)) return false;
	return others.length === 0 || !firstLines.some(parseFields);
}

async function readDocument(path: string, size: number): Promise<unknown> {
	if (size > MAX_DOCUMENT) {
		const limit = MAX_DOCUMENT / 1024 / 1024;
		throw new CwlError(
			"too-large",
			`${path}: a JSON document of ${Math.ceil(size / 1024 / 1024)} MB; at most ${limit} MB are read: leave it out.`,
		);
	}
	try {
		return parseJson(await readFile(path, "utf8"));
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
		throw new CwlError(
			"damaged-document",
			`${path}: begins as a JSON document and cannot be read as one (${error.message}); leave it out.`,
		);
	}
}
