/** The formats that a replay reads, asked in this order. */
import { CwlError } from "#pi";
import { atifReader } from "./atif.ts";
import { claudeCodeReader } from "./claude-code.ts";
import { codexReader } from "./codex.ts";
import { openEvaluationLine } from "./evaluation-output.ts";
import { fileError } from "./file-error.ts";
import { geminiReader } from "./gemini.ts";
import { miniSweAgentReader } from "./mini-swe-agent.ts";
import { openHandsReader } from "./openhands.ts";
import { openHandsSdkReader } from "./openhands-sdk.ts";
import { readOpening } from "./opening.ts";
import { piReader } from "./pi.ts";
import type { Opening, RecordedLine, RecordedSession, SessionReader } from "./session-reader.ts";
import { sweAgentReader } from "./swe-agent.ts";

const readers: readonly SessionReader[] = [
	piReader,
	claudeCodeReader,
	codexReader,
	geminiReader,
	atifReader,
	miniSweAgentReader,
	sweAgentReader,
	openHandsSdkReader,
	openHandsReader,
];

/** Read a session of any known format, a file's or that of one line; rejects with a `CwlError` that names the file. */
export async function readSession(path: string, line?: RecordedLine): Promise<RecordedSession> {
	const opening = line ? await openLine(path, line) : await readOpening(path);
	const reader = findReader(opening);
	if (reader) return reader.read(opening);
	const formats = readers.map(({ format }) => format).join(", ");
	throw new CwlError(
		"unknown-format",
		`${opening.path}: no session in a known format (${formats}); leave it out.`,
	);
}

async function openLine(path: string, line: RecordedLine): Promise<Opening> {
	try {
		return await openEvaluationLine(path, line);
	} catch (error) {
		throw fileError(path, error);
	}
}

function findReader(opening: Opening): SessionReader | undefined {
	return readers.find((candidate) => candidate.recognise(opening));
}

/** Returns true if a JSON document that begins like this may be a session. */
export function isTelltale(head: string): boolean {
	return readers.some(({ telltale }) => telltale?.test(head));
}

/** Returns true if a file is in a known format. An unreadable file counts, so that it is not passed over in silence. */
export async function isRecognised(path: string): Promise<boolean> {
	try {
		return findReader(await readOpening(path)) !== undefined;
	} catch (error) {
		if (error instanceof CwlError) return true;
		throw error;
	}
}
