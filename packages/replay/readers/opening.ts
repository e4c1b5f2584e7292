/** The source of a session: lines, one JSON document, a folder with one file an event, or a line of a larger file. */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { CwlError } from "#pi";
import { type Fields, fieldsOf, isFields, parseFields, parseJson } from "./json.ts";
import { fileError, readBytes, readFirstLines, readObjects } from "./lines.ts";
import type { SessionPlace } from "./recorded-session.ts";

/** A file or folder, read as far as its format shows. */
export interface Opening {
	/** With the number of the line, where the session is one line of a file. */
	readonly path: string;
	/** True for a folder with one file per event. */
	readonly isFolder: boolean;
	/** The objects on its first lines; those of the first files of a folder. */
	readonly lines: readonly Fields[];
	/** The whole content, where the file is one JSON document, else undefined. */
	readonly document: unknown;
}

/** Enough to pass a damaged header, and what programs write ahead of the first message. */
const RECOGNIZED_BY = 40;

/** A document is in memory as a whole while it is read, so a larger one is refused. In bytes. */
const MAX_DOCUMENT = 256 * 1024 * 1024;

/** Rejects with a `CwlError` when the path cannot be read, or is a document that is too large or damaged. */
export async function openSession(path: string, line?: SessionPlace["line"]): Promise<Opening> {
	try {
		if (line) {
			const document = parseFields(await readBytes(path, line.start, line.bytes));
			return { path: `${path}:${line.number}`, isFolder: false, lines: [], document };
		}
		const found = await stat(path);
		const isFolder = found.isDirectory();
		const first = isFolder ? await readFirstFiles(path) : await readFirstLines(path, RECOGNIZED_BY);
		const document = !isFolder && isDocument(first) ? await readDocument(path, found.size) : undefined;
		const lines = first.map(parseFields).filter(isFields);
		return { path, isFolder, lines, document };
	} catch (error) {
		throw fileError(path, error);
	}
}

async function readFirstFiles(folder: string): Promise<readonly string[]> {
	const files = (await listEventFiles(folder)).slice(0, RECOGNIZED_BY);
	return await Promise.all(files.map((file) => readFile(file, "utf8")));
}

/** One line alone may be a document; several are one when none of them is whole by itself. */
function isDocument(firstLines: readonly string[]): boolean {
	const [first, ...others] = firstLines;
	if (first === undefined || !/^\uFEFF?\s*[[{]/.test(first)) return false;
	return others.length === 0 || !firstLines.some(parseFields);
}

async function readDocument(path: string, size: number): Promise<unknown> {
	if (size > MAX_DOCUMENT) {
		const megabytes = (bytes: number) => Math.ceil(bytes / 1024 / 1024);
		throw new CwlError(
			"too-large",
			`${path}: a JSON document of ${megabytes(size)} MB; at most ${megabytes(MAX_DOCUMENT)} MB are read: leave it out.`,
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

/**
 * The entries in a document: it is a list, or holds one under one of these names. Early evaluations of OpenHands kept pairs of
 * an action and its observation: each of them is an entry.
 */
export function findItems(document: unknown, names: readonly string[]): readonly unknown[] | undefined {
	const fields = fieldsOf(document);
	const lists = [document, ...names.map((name) => fields[name])].filter((each) => Array.isArray(each));
	const list = lists.find(({ length }) => length > 0) ?? lists[0];
	return list?.flatMap((each: unknown) => (Array.isArray(each) && each.some(isFields) ? each : [each]));
}

/** `12.json` and `event-00012-ID.json`. */
const EVENT_FILE = /^(?:(\d+)|event-(\d+)-.*)\.json$/;

/** The event files of a folder in their order, without links and pipes; empty when it is no folder of events. */
export async function listEventFiles(folder: string): Promise<readonly string[]> {
	const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
	const numbered = files.flatMap(({ name }) => {
		const [, plain, number = plain] = EVENT_FILE.exec(name) ?? [];
		return number === undefined ? [] : [{ name, number: Number(number) }];
	});
	return numbered.toSorted((a, b) => a.number - b.number).map(({ name }) => join(folder, name));
}

/**
 * The entries of a session, from the list in its document if it has one, each with its place: the number of its line from 1, or its index in a list or folder. What is no
 * JSON object is noted as damage and skipped. Rejects with a `CwlError` when a file cannot be read.
 */
export async function* readEntries(
	{ path, isFolder }: Opening,
	items: readonly unknown[] | undefined,
	note: (place: number, reason: string) => void,
): AsyncGenerator<readonly [entry: Fields, place: number]> {
	if (!items && !isFolder) {
		for await (const [entry, { number }] of readObjects(path, note)) yield [entry, number];
		return;
	}
	try {
		for (const [place, item] of (items ?? (await listEventFiles(path))).entries()) {
			const entry = items ? item : parseFields(await readFile(String(item), "utf8"));
			if (isFields(entry)) yield [entry, place];
			else note(place, "no JSON object: skipped");
		}
	} catch (error) {
		throw fileError(path, error);
	}
}
