/**
 * Claude Code's transcripts, `projects/FOLDER/SESSION.jsonl`, and what `claude -p --output-format stream-json`
 * prints. Nothing official describes the file; the facts are from github.com/microsoft/amplifier,
 * ai_working/claude_code_logging, and from recorded files:
 * - each line holds one block of a reply, and the lines of one reply share `message.id`;
 * - entries form a tree by `uuid` and `parentUuid`, in which results of parallel calls are siblings;
 * - a compaction begins a new root; `logicalParentUuid` links it to what its summary stands for;
 * - sub-agents are side chains, in older versions of the same file, and `isMeta` marks what no person typed.
 */
import { type ClaudeNode, findBranch, PREVIOUS, ROOT, type Saying } from "./claude-tree.ts";
import {
	type Block,
	type Draft,
	hostNote,
	openDraft,
	says,
	thinks,
	toolCall,
	toolResult,
	userMessage,
} from "./composing.ts";
import { readEntries } from "./entries.ts";
import { type Fields, isFields, parseFields } from "./json.ts";
import { fieldsOf, joinText, listOf, readArguments, readParts, textOf, timeOf } from "./parts.ts";
import type { Opening, RecordedSession, SessionReader } from "./session-reader.ts";

export const claudeCodeReader: SessionReader = { format: "claude-code", recognise, read };

const BOOKKEEPING = new Set([
	"summary",
	"file-history-snapshot",
	"queue-operation",
	"permission-mode",
	"progress",
]);

function recognise({ firstLines }: Opening): boolean {
	return firstLines.map(parseFields).some((entry) => {
		if (!entry) return false;
		const { type, message, uuid, sessionId, session_id, snapshot, leafUuid } = entry;
		const isNamed = [uuid, sessionId, session_id].some((id) => typeof id === "string");
		if (type === "user" || type === "assistant") return isFields(message) && isNamed;
		if (type === "system" || type === "attachment") return isNamed;
		return BOOKKEEPING.has(textOf(type)) && (isNamed || isFields(snapshot) || typeof leafUuid === "string");
	});
}

interface Reading {
	readonly draft: Draft;
	readonly tools: Map<string, string>;
	readonly nodes: Map<string, ClaudeNode>;
}

async function read({ path }: Opening): Promise<RecordedSession> {
	const draft = openDraft(path, ":");
	const reading: Reading = { draft, tools: new Map(), nodes: new Map() };
	await readEntries(path, draft.note, (entry, line) => {
		const node = readNode(reading, entry, line);
		// A resumed session may write entries again.
		if (node && !reading.nodes.has(node.id)) reading.nodes.set(node.id, node);
	});
	const sayings = findBranch([...reading.nodes.values()], (line, parent) => {
		draft.note(line, `parent ${JSON.stringify(parent)} not found: joined to the entry before it`);
	});
	for (const saying of sayings) {
		if (saying.type === "summary") draft.summary(saying.text, saying.time);
		else if (saying.type === "turn") draft.messages.push(...saying.messages);
		else draft.reply(saying.blocks, saying.time, saying.id);
	}
	return draft.finish(claudeCodeReader.format);
}

/** Undefined for entries outside of the tree: they are bookkeeping. */
function readNode(reading: Reading, entry: Fields, line: number): ClaudeNode | undefined {
	const saying = readSaying(reading, entry, line);
	if (typeof entry.uuid !== "string" && !saying) return undefined;
	const isSide = entry.isSidechain === true || typeof entry.parent_tool_use_id === "string";
	return { line, id: textOf(entry.uuid) || `line ${line}`, parent: readParent(entry), isSide, saying };
}

function readParent(entry: Fields): string {
	if (typeof entry.parentUuid === "string") return entry.parentUuid;
	if (typeof entry.logicalParentUuid === "string") return entry.logicalParentUuid;
	// Older versions link a compaction to nothing.
	const isCompaction = entry.subtype === "compact_boundary" || entry.isCompactSummary === true;
	return isCompaction || entry.parentUuid === undefined ? PREVIOUS : ROOT;
}

function readSaying(reading: Reading, entry: Fields, line: number): Saying | undefined {
	const time = timeOf(entry.timestamp);
	switch (entry.type) {
		case "assistant":
			return readReply(reading, entry, line, time);
		case "user":
			return readTurn(reading, entry, line, time);
		case "attachment":
			return readQueued(fieldsOf(entry.attachment), time);
		default:
			return undefined;
	}
}

/** The harness writes replies of its own where a request failed or none was made: no model said them. */
function readReply(reading: Reading, entry: Fields, line: number, time: number): Saying | undefined {
	const { id, model, content } = fieldsOf(entry.message);
	if (entry.isApiErrorMessage === true || model === "<synthetic>") return undefined;
	if (!Array.isArray(content)) {
		if (typeof content === "string")
			return { type: "reply", id: `line ${line}`, blocks: says(content), time };
		reading.draft.note(line, "the reply has no content: skipped");
		return undefined;
	}
	const blocks = content.flatMap((block) => readBlock(reading, fieldsOf(block), line));
	return { type: "reply", id: textOf(id) || `line ${line}`, blocks, time };
}

function readBlock(reading: Reading, block: Fields, line: number): readonly Block[] {
	switch (block.type) {
		case "text":
			return says(textOf(block.text));
		case "thinking":
			return thinks(textOf(block.thinking));
		case "redacted_thinking":
			return [];
		case "tool_use": {
			const [id, name] = [textOf(block.id), textOf(block.name)];
			reading.tools.set(id, name);
			return [toolCall(id, name, readArguments(block.input))];
		}
		default:
			reading.draft.note(line, `content block of kind ${JSON.stringify(block.type)}: left out`);
			return [];
	}
}

function readTurn(reading: Reading, entry: Fields, line: number, time: number): Saying | undefined {
	const { content } = fieldsOf(entry.message);
	const blocks =
		typeof content === "string" ? [{ type: "text", text: content }] : listOf(content).map(fieldsOf);
	if (content === undefined) reading.draft.note(line, "the entry holds no content: skipped");
	const said = blocks.filter(({ type }) => type !== "tool_result");
	const words = reading.draft.parts(said, line);
	if (entry.isCompactSummary === true) {
		return { type: "summary", text: joinText(words), time };
	}
	// Shown to the person, never sent.
	if (entry.isVisibleInTranscriptOnly === true) return undefined;
	const results = blocks
		.filter(({ type }) => type === "tool_result")
		.map((block) => readResult(reading, block, time, line));
	const turn = entry.isMeta === true || isLocalOutput(joinText(words)) ? hostNote : userMessage;
	return { type: "turn", messages: [...results, ...(words.length > 0 ? [turn(words, time)] : [])] };
}

/** Returns true for the output of a slash command and for reports of background work. */
function isLocalOutput(text: string): boolean {
	return /^\s*<(local-command-|task-notification)/.test(text);
}

function readResult(reading: Reading, block: Fields, timestamp: number, line: number) {
	const callId = textOf(block.tool_use_id);
	const tool = reading.tools.get(callId) ?? "unknown";
	const isError = block.is_error === true;
	const content = reading.draft.parts(block.content, line);
	return toolResult({ callId, tool, content, isError, timestamp });
}

/**
 * Reads a message that the user wrote while the agent was at work. Other attachments are left out: their text is made
 * when sent.
 */
function readQueued({ type, prompt, commandMode }: Fields, time: number): Saying | undefined {
	if (type !== "queued_command") return undefined;
	const words = readParts(prompt);
	const turn = commandMode === "task-notification" ? hostNote : userMessage;
	return { type: "turn", messages: [turn(words, time)] };
}
