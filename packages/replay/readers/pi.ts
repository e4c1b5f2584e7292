/**
 * pi's own session files: JSON Lines, a header first. Version 1 is a plain list; from version 2 on entries form a
 * tree by `id` and `parentId`, and the session is the branch that ends at the last entry (docs/session-format.md).
 */
import { CwlError } from "#pi";
import { contentText, type HostMessage } from "#pi/codec";
import { type Draft, hostNote, readArguments, type SessionReader } from "./draft.ts";
import { type Fields, isFields, parseFields, textOf, timeOf } from "./json.ts";
import { readEntries } from "./lines.ts";
import type { RecordedSummary } from "./session-reader.ts";

const NEWEST_VERSION = 3;

/** An entry reduced to what the branch needs. Entries that carry no message still link their neighbors. */
interface Node {
	/** Position of the parent in the file, or -1 for a root. */
	readonly parent: number;
	readonly message: HostMessage | undefined;
	/** The summary that its agent put in place of the history before it. */
	readonly summary: Omit<RecordedSummary, "position"> | undefined;
}

export const piReader: SessionReader = {
	format: "pi",
	recognise: ({ firstLines }) =>
		firstLines.some((line) => {
			const entry = parseFields(line);
			if (entry?.type === "session") return typeof entry.id === "string";
			return entry?.type === "message" && typeof entry.message === "object";
		}),
	read: (draft, { path }) => readSession(draft, path),
};

async function readSession(draft: Draft, path: string): Promise<void> {
	const { note } = draft;
	const nodes: Node[] = [];
	const positions = new Map<string, number>();
	let version: number | undefined;
	await readEntries(path, note, (entry, { number: line }) => {
		if (entry.type === "session") {
			if (version !== undefined) return;
			version = readVersion(path, entry);
			if (typeof entry.cwd === "string") draft.workIn(entry.cwd);
			return;
		}
		if (version === undefined) {
			note(line, "no header before the first entry: read as the newest version");
			version = NEWEST_VERSION;
		}
		const parent = findParent(entry);
		if (parent === undefined) {
			note(line, `parent ${JSON.stringify(entry.parentId)} not found: joined to the entry before it`);
		}
		const message = readEntryMessage(entry, (reason) => note(line, reason));
		if (typeof entry.id === "string") positions.set(entry.id, nodes.length);
		nodes.push({ parent: parent ?? nodes.length - 1, message, summary: readSummary(entry) });
	});

	/** Undefined for a parent that was on a damaged line: the entry before it in the file is the best guess. */
	function findParent({ parentId }: Fields): number | undefined {
		if (parentId === undefined) return nodes.length - 1;
		return parentId === null ? -1 : positions.get(textOf(parentId));
	}

	const branch: Node[] = [];
	for (let node = nodes.at(-1); node; node = nodes[node.parent]) branch.push(node);
	for (const { message, summary } of branch.reverse()) {
		if (message) draft.messages.push(message);
		if (summary) draft.summary(summary.text, summary.timestamp);
	}
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

type Note = (reason: string) => void;

/**
 * The summary that another agent put in place of its history is left out: the session is replayed uncompacted.
 * `synthetic` marks what was sent in a user's name and no person typed: it is a note, which may leave.
 */
function readEntryMessage(entry: Fields, note: Note): HostMessage | undefined {
	if (entry.type !== "message" || entry.compactSummary === true) return undefined;
	const message = decodeMessage(entry.message, entry.timestamp, note);
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

/**
 * Returns one recorded message, or undefined if nothing of it can be used; everything after this point trusts its type. A
 * block that cannot be read is left out and reported to `note`; the rest of the message stays. A missing timestamp is taken
 * from its entry. `hookMessage` is what version 2 called `custom` (pi's own migration, session-manager.js).
 */
function decodeMessage(value: unknown, entryTimestamp: unknown, note: Note): HostMessage | undefined {
	const skip = (reason: string) => void note(`${reason}: skipped`);
	if (!isFields(value)) return skip("the entry holds no message");
	const timestamp = typeof value.timestamp === "number" ? value.timestamp : timeOf(entryTimestamp);
	const role = value.role === "hookMessage" ? "custom" : textOf(value.role);
	// pi 0.87 and later keeps its system messages in the history; a replay has a prompt of its own.
	if (role === "system") return undefined;
	const texts = Object.hasOwn(textFields, role) ? textFields[role] : undefined;
	if (!texts) return skip(`unknown role ${JSON.stringify(value.role)}`);
	const decoded = findMissing(value, texts) ?? (hasContent(role) ? decodeContent(value, role, note) : {});
	if (typeof decoded === "string") return skip(decoded);
	// The one place where a recorded message gets its type: every field that is used has been read.
	return { ...value, ...decoded, role, timestamp } as unknown as HostMessage;
}

/** By role, the fields that hold text. */
const textFields: Readonly<Record<string, readonly string[]>> = {
	...{ user: [], assistant: [], custom: ["customType"], toolResult: ["toolCallId"] },
	...{ bashExecution: ["command", "output"], branchSummary: ["summary"], compactionSummary: ["summary"] },
};

const hasContent = (role: string) => ["user", "assistant", "custom", "toolResult"].includes(role);

function findMissing(fields: Fields, names: readonly string[]): string | undefined {
	const missing = names.find((name) => typeof fields[name] !== "string");
	return missing === undefined ? undefined : `${missing} is missing`;
}

/** The content that can be read; the reason why the message cannot be used where it held blocks and keeps none of them. */
function decodeContent({ content: value }: Fields, role: string, note: Note): Fields | string {
	const isReply = role === "assistant";
	if (typeof value === "string" && !isReply) return { content: value };
	if (!Array.isArray(value)) {
		return isReply
			? "the model's content is no list of blocks"
			: "content is neither text nor a list of blocks";
	}
	const read = value.map((block) => {
		if (!isFields(block)) return "a content block is no object";
		return isReply ? decodeReplyBlock(block, note) : decodePart(block);
	});
	const content = read.filter((block) => typeof block !== "string");
	const problems = read.filter((block) => typeof block === "string");
	if (content.length === 0 && problems.length > 0) return problems.join("; ");
	for (const problem of problems) note(`${problem}: left out`);
	return { content };
}

function decodePart(block: Fields): Fields | string {
	const isKnown = block.type === "image" || (block.type === "text" && typeof block.text === "string");
	return isKnown ? block : `unknown content block ${JSON.stringify(block.type)}`;
}

function decodeReplyBlock(block: Fields, note: Note): Fields | string {
	if (block.type === "text" || block.type === "thinking") return findMissing(block, [block.type]) ?? block;
	if (block.type !== "toolCall") return `unknown content block ${JSON.stringify(block.type)}`;
	const missing = findMissing(block, ["id", "name"]);
	if (missing !== undefined || isFields(block.arguments)) return missing ?? block;
	note(`the arguments of call ${JSON.stringify(block.id)} are no object: mended`);
	return { ...block, arguments: readArguments(block.arguments) };
}
