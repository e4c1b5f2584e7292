/** The formats that a replay reads, asked in this order. */
import { CwlError } from "#pi";
import { atifReader } from "./atif.ts";
import { claudeCodeReader } from "./claude-code.ts";
import { codexReader } from "./codex.ts";
import { type Draft, openDraft, type SessionReader } from "./draft.ts";
import { geminiReader } from "./gemini.ts";
import { type Fields, timeOf } from "./json.ts";
import { openCodeReader } from "./opencode.ts";
import { openHandsReader, openHandsSdkReader } from "./openhands.ts";
import { findItems, openSession, readEntries } from "./opening.ts";
import { piReader } from "./pi.ts";
import { qwenCodeReader } from "./qwen-code.ts";
import type { RecordedSession, SessionPlace } from "./recorded-session.ts";
import { miniSweAgentReader, sweAgentReader } from "./swe-agent.ts";

const readers: readonly SessionReader[] = [
	piReader,
	qwenCodeReader,
	claudeCodeReader,
	codexReader,
	geminiReader,
	openCodeReader,
	atifReader,
	miniSweAgentReader,
	sweAgentReader,
	openHandsSdkReader,
	openHandsReader,
];

/**
 * Reads a session of any known format, a file's or that of one line; rejects with a `CwlError` that names the file.
 * @param leaf the id of the last entry of the branch to read; the branch of the last entry if left out
 */
export async function readSession(
	path: string,
	line?: SessionPlace["line"],
	leaf?: string,
): Promise<RecordedSession> {
	const opening = await openSession(path, line);
	const reader = readers.find(({ recognise }) => recognise(opening));
	if (reader) {
		const items = reader.lists && findItems(opening.document, reader.lists);
		const draft = openDraft(opening.path, items ? "#" : ":", leaf);
		await reader.read(draft, entriesOf(draft, readEntries(opening, items, draft.noteAt)), opening);
		return draft.finish(reader.format);
	}
	const formats = readers.map(({ format }) => format).join(", ");
	const reason = opening.isFolder
		? "a folder, and not one of a session's events; name one session file"
		: `no session in a known format (${formats}); leave it out`;
	throw new CwlError("unknown-format", `${opening.path}: ${reason}.`);
}

/** Each entry, once the draft has turned to it. */
async function* entriesOf(draft: Draft, entries: ReturnType<typeof readEntries>): AsyncGenerator<Fields> {
	for await (const [entry, place] of entries) {
		draft.turnTo(place, timeOf(entry.timestamp));
		yield entry;
	}
}

/** Returns true if a file is in a known format. An unreadable file counts, so that it is not passed over in silence. */
export async function isRecognized(path: string): Promise<boolean> {
	try {
		const opening = await openSession(path);
		return readers.some(({ recognise }) => recognise(opening));
	} catch (error) {
		if (error instanceof CwlError) return true;
		throw error;
	}
}
