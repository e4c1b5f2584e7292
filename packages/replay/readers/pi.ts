/**
 * pi's own session files: JSON Lines, a header first. Version 1 is a plain list; from version 2 on entries form a
 * tree by `id` and `parentId`, and the session is the branch that ends at the last entry (docs/session-format.md).
 */
import { CwlError } from "#pi";
import { contentText, type HostMessage, hasFailed, isAnswer } from "#pi/codec";
import { type TreeEntry, traceBranch } from "./branch.ts";
import { type Draft, RECORDED_NOTE, type SessionReader } from "./draft.ts";
import { type Fields, fieldsOf, isFields, textOf, timeOf } from "./json.ts";
import { readArguments, readParts, recordedUsage } from "./message-parts.ts";

const NEWEST_VERSION = 3;

export const piReader: SessionReader = {
	format: "pi",
	recognise: ({ lines }) =>
		lines.some(({ type, id, message }) =>
			type === "session" ? typeof id === "string" : type === "message" && typeof message === "object",
		),
	read: readBranch,
};

/** Entries that carry no message still link their neighbors. */
async function readBranch(draft: Draft, entries: AsyncIterable<Fields>): Promise<void> {
	const nodes: Node[] = [];
	let version: number | undefined;
	for await (const entry of entries) {
		if (entry.type === "session") {
			if (version === undefined) draft.identify(textOf(entry.id), textOf(entry.cwd));
			version ??= readVersion(draft.path, entry);
			continue;
		}
		if (version === undefined) {
			// Oh My Pi writes the title ahead of the header.
			if (entry.type !== "message" && typeof entry.id !== "string") continue;
			draft.note("no header before the first entry: read as the newest version");
			version = NEWEST_VERSION;
		}
		const { id, parentId } = entry;
		const place = draft.place();
		const parent = parentId === null || parentId === undefined ? parentId : String(parentId);
		nodes.push({ place, id: textOf(id) || `line ${place}`, parent, entry, say: readEntry(draft, entry) });
	}
	const leaf = nodes.findLastIndex(({ id }) => id === draft.leaf);
	const traced = traceBranch(nodes, leaf < 0 ? nodes.length - 1 : leaf, draft.noteAt);
	for (const node of nodes)
		if (!traced.has(node) || !isCharged(node)) draft.spend(node.entry, !traced.has(node));
	const branch = [...traced].reverse();
	/** The number of messages before each entry of the branch, by its id. */
	const starts = new Map<unknown, number>();
	for (const { place, entry, say } of branch) {
		draft.turnTo(place, timeOf(entry.timestamp));
		starts.set(entry.id, draft.messages.length);
		// Nothing is decided in front of a message that is left out, except for the system messages of pi 0.87 and later.
		if (say || entry.type !== "message" || fieldsOf(entry.message).role === "system") draft.keep(entry);
		say?.(starts.get(entry.firstKeptEntryId));
	}
}

interface Node extends TreeEntry {
	readonly entry: Fields;
	readonly say: Saying;
}

/** Returns true for an entry whose usage is that of an answer or a summary of the branch. */
function isCharged({ entry, say }: Node): boolean {
	return say !== undefined && (entry.type === "compaction" || fieldsOf(entry.message).role === "assistant");
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

/** Adds what an entry holds to the draft; `firstKept` is the index of the first message that a compaction left. */
type Saying = ((firstKept: number | undefined) => void) | undefined;
type Note = (reason: string) => void;

/**
 * The summary that another agent put in place of its history is none of the messages: the session is replayed uncompacted.
 * `synthetic` marks what was sent in a user's name and no person typed: it is a note, which may leave. pi sends no answer
 * that failed, so that none counts.
 */
function readEntry(draft: Draft, entry: Fields): Saying {
	const { type, summary } = entry;
	if (type === "compaction" && typeof summary === "string")
		return (firstKept) => draft.summary(summary, firstKept);
	const recorded = messageOf(entry);
	if (!recorded) return undefined;
	const isSummary = entry.compactSummary === true;
	const message = decodeMessage(recorded, entry.timestamp, isSummary ? () => {} : draft.note);
	if (!message || (isAnswer(message) && hasFailed(message))) return undefined;
	if (message.role !== "user") return isSummary ? undefined : () => draft.messages.push(message);
	const { content, timestamp } = message;
	draft.turnTo(draft.place(), timestamp);
	if (isSummary) return draft.later(() => draft.summary(contentText(content)));
	if (entry.synthetic !== true) return () => draft.messages.push(message);
	return draft.later(() => draft.aside(readParts(content)));
}

/** The message that pi makes of an entry; undefined for entries that it sends nothing of. */
function messageOf({ type, message, ...entry }: Fields): unknown {
	if (type === "message") return isDeveloper(message) ? asNote(message) : (message ?? {});
	if (type === "custom_message") {
		const { customType, content, display, details } = entry;
		return { role: "custom", customType, content, display, details };
	}
	if (type !== "branch_summary" || textOf(entry.summary) === "") return undefined;
	return { role: "branchSummary", summary: entry.summary, fromId: entry.fromId };
}

/** Oh My Pi's own reminders have a role that pi does not know. */
const isDeveloper = (message: unknown): boolean => fieldsOf(message).role === "developer";

function asNote(message: unknown): Fields {
	const { content, timestamp } = fieldsOf(message);
	return { role: "custom", customType: RECORDED_NOTE, content, display: false, timestamp };
}

const words = ["text", "image"];
/** By role, the fields that hold text, and the types of the blocks of its content if it has any. */
const shapes = new Map<string, readonly [texts: readonly string[], blocks?: readonly unknown[]]>([
	["user", [[], words]],
	["assistant", [[], ["text", "thinking", "toolCall"]]],
	["custom", [["customType"], words]],
	["toolResult", [["toolCallId"], words]],
	["bashExecution", [["command", "output"]]],
	["branchSummary", [["summary"]]],
	["compactionSummary", [["summary"]]],
]);
/** By type of block, the fields that hold text. */
const blockFields: Readonly<Record<string, readonly string[]>> = {
	text: ["text"],
	thinking: ["thinking"],
	toolCall: ["id", "name"],
};

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
	const shape = shapes.get(role);
	if (!shape) return skip(`unknown role ${JSON.stringify(value.role)}`);
	const [texts, blocks] = shape;
	const decoded = findMissing(value, texts) ?? decodeContent(value.content, blocks, note);
	if (typeof decoded === "string") return skip(decoded);
	const facts = role === "assistant" ? mendFacts(value) : {};
	// The one place where a recorded message gets its type: every field that is used has been read.
	return { ...value, ...facts, ...decoded, role, timestamp } as unknown as HostMessage;
}

/** The fields of an answer apart from its content. pi always writes them; other programs that use its format may not. */
function mendFacts({ api, provider, model, stopReason, usage }: Fields): Fields {
	return {
		api: textOf(api),
		provider: textOf(provider),
		model: textOf(model),
		stopReason: textOf(stopReason) || "stop",
		usage: recordedUsage(usage),
	};
}

function findMissing(fields: Fields, names: readonly string[] = []): string | undefined {
	const missing = names.find((name) => typeof fields[name] !== "string");
	return missing === undefined ? undefined : `${missing} is missing`;
}

/** The content that can be read; the reason why the message cannot be used where it held blocks and keeps none of them. */
function decodeContent(value: unknown, types: readonly unknown[] | undefined, note: Note): Fields | string {
	if (!types) return {};
	const isReply = types.includes("toolCall");
	if (typeof value === "string" && !isReply) return { content: value };
	if (!Array.isArray(value)) {
		return isReply
			? "the model's content is no list of blocks"
			: "content is neither text nor a list of blocks";
	}
	const read = value.map((block) => decodeBlock(block, types, note));
	const content = read.filter((block) => typeof block !== "string");
	const problems = read.filter((block) => typeof block === "string");
	if (content.length === 0 && problems.length > 0) return problems.join("; ");
	for (const problem of problems) note(`${problem}: left out`);
	return { content };
}

/** The block, mended where its arguments are no object; the reason why it cannot be used otherwise. */
function decodeBlock(block: unknown, types: readonly unknown[], note: Note): Fields | string {
	if (!isFields(block)) return "a content block is no object";
	if (!types.includes(block.type)) return `unknown content block ${JSON.stringify(block.type)}`;
	const missing = findMissing(block, blockFields[textOf(block.type)]);
	if (missing !== undefined || block.type !== "toolCall" || isFields(block.arguments))
		return missing ?? block;
	note(`the arguments of call ${JSON.stringify(block.id)} are no object: mended`);
	return { ...block, arguments: readArguments(block.arguments) };
}
