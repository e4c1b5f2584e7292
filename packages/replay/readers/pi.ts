/**
 * pi's own session files: JSON Lines, a header first. Version 1 is a plain list; from version 2 on entries form a
 * tree by `id` and `parentId`, and the session is the branch that ends at the last entry (docs/session-format.md).
 */
import { basename } from "node:path";
import { CwlError, contentText, type HostMessage } from "#pi";
import { type DamageNotes, hostNote, openDamage } from "./composing.ts";
import { readEntries } from "./entries.ts";
import { type Fields, parseFields } from "./json.ts";
import { timeOf } from "./parts.ts";
import { decodeMessage } from "./pi-message.ts";
import type { Opening, RecordedSession, RecordedSummary, SessionReader } from "./session-reader.ts";

const NEWEST_VERSION = 3;

/** An entry reduced to what the branch needs. Entries that carry no message still link their neighbours. */
interface Node {
	readonly id: string | undefined;
	/** Position of the parent in the file, or -1 for a root. */
	readonly parent: number;
	readonly message: HostMessage | undefined;
	/** The summary that its agent put in place of the history before it. */
	readonly summary: Omit<RecordedSummary, "position"> | undefined;
}

interface Reading extends DamageNotes {
	readonly path: string;
	readonly nodes: Node[];
	readonly positions: Map<string, number>;
	version: number | undefined;
	cwd: string | undefined;
}

export const piReader: SessionReader = { format: "pi", recognise, read };

function recognise({ firstLines }: Opening): boolean {
	return firstLines.some((line) => {
		const entry = parseFields(line);
		if (entry?.type === "session") return typeof entry.id === "string";
		return entry?.type === "message" && typeof entry.message === "object";
	});
}

async function read({ path }: Opening): Promise<RecordedSession> {
	const reading: Reading = {
		path,
		...openDamage(path, ":"),
		nodes: [],
		positions: new Map(),
		version: undefined,
		cwd: undefined,
	};
	await readEntries(path, reading.note, (entry, line) => readEntry(reading, entry, line));
	const { damage, cwd } = reading;
	const about = { path, name: basename(path, ".jsonl"), format: "pi", ...(cwd !== undefined && { cwd }) };
	return { ...about, ...collectBranch(reading), damage };
}

function readEntry(reading: Reading, entry: Fields, line: number) {
	if (entry.type === "session") {
		if (reading.version !== undefined) return;
		reading.version = readVersion(reading.path, entry);
		if (typeof entry.cwd === "string") reading.cwd = entry.cwd;
		return;
	}
	if (reading.version === undefined) {
		reading.note(line, "no header before the first entry: read as the newest version");
		reading.version = NEWEST_VERSION;
	}
	const position = reading.nodes.length;
	const id = typeof entry.id === "string" ? entry.id : undefined;
	const parent = findParent(reading, entry, line);
	const message = readEntryMessage(reading, entry, line);
	reading.nodes.push({ id, parent, message, summary: readSummary(entry) });
	if (id !== undefined) reading.positions.set(id, position);
}

function readVersion(path: string, header: Fields): number {
	const version = header.version ?? 1;
	if (typeof version === "number" && version <= NEWEST_VERSION) return version;
	throw new CwlError(
		"newer-version",
		`${path}: session version ${JSON.stringify(version)}; this program reads versions 1 to ${NEWEST_VERSION}: ` +
			"update it, or leave the file out.",
	);
}

/** A parent that is not there was on a damaged line: the entry before it in the file is the best guess. */
function findParent(reading: Reading, entry: Fields, line: number): number {
	const previous = reading.nodes.length - 1;
	if (entry.parentId === undefined) return previous;
	if (entry.parentId === null) return -1;
	const parent = typeof entry.parentId === "string" ? reading.positions.get(entry.parentId) : undefined;
	if (parent !== undefined) return parent;
	reading.note(line, `parent ${JSON.stringify(entry.parentId)} not found: joined to the entry before it`);
	return previous;
}

/**
 * The summary that another agent put in place of its history is left out: the session is replayed uncompacted.
 * `synthetic` marks what was sent in a person's name and no person typed: it is a note, which may leave.
 */
function readEntryMessage(reading: Reading, entry: Fields, line: number): HostMessage | undefined {
	if (entry.type !== "message" || entry.compactSummary === true) return undefined;
	const message = decodeMessage(entry.message, entry.timestamp, (reason) => reading.note(line, reason));
	if (message?.role !== "user" || entry.synthetic !== true) return message;
	const { content, timestamp } = message;
	return hostNote(typeof content === "string" ? [{ type: "text", text: content }] : content, timestamp);
}

/** pi's own compaction entries, and the user message that another agent's compaction left. */
function readSummary(entry: Fields): Node["summary"] {
	if (entry.type === "compaction" && typeof entry.summary === "string") {
		return { text: entry.summary, timestamp: timeOf(entry.timestamp) };
	}
	if (entry.compactSummary !== true) return undefined;
	const message = decodeMessage(entry.message, entry.timestamp, () => {});
	if (message?.role !== "user") return undefined;
	return { text: contentText(message.content), timestamp: message.timestamp };
}

function collectBranch({ nodes }: Reading): Pick<RecordedSession, "messages" | "summaries"> {
	const branch: Node[] = [];
	for (let node = nodes.at(-1); node; node = nodes[node.parent]) branch.push(node);
	const messages: HostMessage[] = [];
	const summaries: RecordedSummary[] = [];
	for (const { message, summary } of branch.reverse()) {
		if (message) messages.push(message);
		if (summary) summaries.push({ ...summary, position: messages.length });
	}
	return { messages, summaries };
}
