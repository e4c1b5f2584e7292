/** The formats that a replay reads, asked in this order, and how a file is opened without a guess at its format. */
import { readFile, stat } from "node:fs/promises";
import { CwlError } from "#pi";
import { atifReader } from "./atif.ts";
import { claudeCodeReader } from "./claude-code.ts";
import { codexReader } from "./codex.ts";
import { openDraft, type SessionReader } from "./draft.ts";
import { listEventFiles } from "./event-stream.ts";
import { geminiReader } from "./gemini.ts";
import { parseFields, parseJson } from "./json.ts";
import { fileError, readBytes, readFirstLines } from "./lines.ts";
import { openHandsReader, openHandsSdkReader } from "./openhands.ts";
import { piReader } from "./pi.ts";
import type { Opening, RecordedSession, SessionPlace } from "./session-reader.ts";
import { miniSweAgentReader, sweAgentReader } from "./swe-agent.ts";

const readers: readonly SessionReader[] = [
	...[piReader, claudeCodeReader, codexReader, geminiReader, atifReader],
	...[miniSweAgentReader, sweAgentReader, openHandsSdkReader, openHandsReader],
];

/** Reads a session of any known format, a file's or that of one line; rejects with a `CwlError` that names the file. */
export async function readSession(path: string, line?: SessionPlace["line"]): Promise<RecordedSession> {
	const opening = await readOpening(path, line);
	const reader = readers.find(({ recognise }) => recognise(opening));
	if (reader) {
		const draft = openDraft(opening.path, opening.document === undefined ? ":" : "#");
		await reader.read(draft, opening);
		return draft.finish(reader.format);
	}
	const formats = readers.map(({ format }) => format).join(", ");
	throw new CwlError(
		"unknown-format",
		`${opening.path}: no session in a known format (${formats}); leave it out.`,
	);
}

/** Returns true if a file is in a known format. An unreadable file counts, so that it is not passed over in silence. */
export async function isRecognized(path: string): Promise<boolean> {
	try {
		const opening = await readOpening(path);
		return readers.some(({ recognise }) => recognise(opening));
	} catch (error) {
		if (error instanceof CwlError) return true;
		throw error;
	}
}

/** Enough to pass a damaged header, and what programs write ahead of the first message. */
const RECOGNIZED_BY = 8;

/** A document is in memory as a whole while it is read, so a larger one is refused. In bytes. */
const MAX_DOCUMENT = 256 * 1024 * 1024;

/** Rejects with a `CwlError` when the path cannot be read, or is a document that is too large or damaged. */
async function readOpening(path: string, line?: SessionPlace["line"]): Promise<Opening> {
	try {
		if (line) {
			const document = parseFields(await readBytes(path, line.start, line.bytes));
			return { path: `${path}:${line.number}`, isFolder: false, firstLines: [], document };
		}
		const found = await stat(path);
		if (found.isDirectory()) {
			const files = (await listEventFiles(path)).slice(0, RECOGNIZED_BY);
			const firstLines = await Promise.all(files.map((file) => readFile(file, "utf8")));
			return { path, isFolder: true, firstLines, document: undefined };
		}
		const firstLines = await readFirstLines(path, RECOGNIZED_BY);
		const document = isDocument(firstLines) ? await readDocument(path, found.size) : undefined;
		return { path, isFolder: false, firstLines, document };
	} catch (error) {
		throw fileError(path, error);
	}
}

/** One line alone may be a document; several are one when none of them is whole by itself. */
function isDocument(firstLines: readonly string[]): boolean {
	const [first, ...others] = firstLines;
	if (first === undefined || !/^\uFEFF?\s*[[{]/.test(first)) return false;
	return others.length === 0 || !firstLines.some(parseFields);
}

async function readDocument(path: string, size: number): Promise<unknown> {
	if (size > MAX_DOCUMENT) {
		const [limit, own] = [MAX_DOCUMENT, size].map((bytes) => Math.ceil(bytes / 1024 / 1024));
		throw new CwlError(
			"too-large",
			`${path}: a JSON document of ${own} MB; at most ${limit} MB are read: leave it out.`,
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
