/**
 * Claude Code's transcripts, `projects/FOLDER/SESSION.jsonl`, and what `claude -p --output-format stream-json`
 * prints. Nothing official describes the file; the facts are from github.com/microsoft/amplifier,
 * ai_working/claude_code_logging, and from recorded files:
 * - each line holds one block of a reply, and the lines of one reply share `message.id`;
 * - entries form a tree by `uuid` and `parentUuid`, in which results of parallel calls are siblings;
 * - a compaction begins a new root; `logicalParentUuid` links it to what its summary stands for;
 * - sub-agents are side chains, in older versions of the same file, and `isMeta` marks what no person typed.
 */
import {
	type Block,
	callIds,
	type Draft,
	joinText,
	readParts,
	type SessionReader,
	says,
	thinks,
	toolCall,
} from "./draft.ts";
import { type Fields, fieldsOf, isFields, parseFields, recordsOf, textOf, timeOf } from "./json.ts";
import { readEntries } from "./lines.ts";

const BOOKKEEPING = new Set(
	"summary file-history-snapshot queue-operation permission-mode progress".split(" "),
);

export const claudeCodeReader: SessionReader = {
	format: "claude-code",
	recognise: ({ firstLines }) => firstLines.map(parseFields).some((entry) => entry && isEntry(entry)),
	async read(draft, { path }) {
		const nodes = new Map<string, ClaudeNode>();
		await readEntries(path, draft.note, (entry, { number }) => {
			const node = readNode(draft, entry, number);
			// A resumed session may write entries again.
			if (node && !nodes.has(node.id)) nodes.set(node.id, node);
		});
		for (const { say } of findBranch([...nodes.values()], draft)) say();
	},
};

function isEntry({ type, message, uuid, sessionId, session_id, snapshot, leafUuid }: Fields): boolean {
	const isNamed = [uuid, sessionId, session_id].some((id) => typeof id === "string");
	if (type === "user" || type === "assistant") return isFields(message) && isNamed;
	if (type === "system" || type === "attachment") return isNamed;
	return BOOKKEEPING.has(textOf(type)) && (isNamed || isFields(snapshot) || typeof leafUuid === "string");
}

type ClaudeNode = NonNullable<ReturnType<typeof readNode>>;

/** Undefined for entries outside of the tree: they are bookkeeping. */
function readNode(draft: Draft, entry: Fields, line: number) {
	const saying = readSaying(draft, entry, line, timeOf(entry.timestamp));
	if (typeof entry.uuid !== "string" && !saying) return undefined;
	const isSide = entry.isSidechain === true || typeof entry.parent_tool_use_id === "string";
	return { line, id: textOf(entry.uuid) || `line ${line}`, parent: readParent(entry), isSide, saying };
}

/** The parent's id, or one of the two marks below. */
function readParent(entry: Fields): string {
	if (typeof entry.parentUuid === "string") return entry.parentUuid;
	if (typeof entry.logicalParentUuid === "string") return entry.logicalParentUuid;
	// Older versions link a compaction to nothing.
	const isCompaction = entry.subtype === "compact_boundary" || entry.isCompactSummary === true;
	return isCompaction || entry.parentUuid === undefined ? PREVIOUS : ROOT;
}

function readSaying(draft: Draft, entry: Fields, line: number, time: number): Saying | undefined {
	if (entry.type === "assistant") return readReply(draft, entry, line, time);
	if (entry.type === "user") return readTurn(draft, entry, line, time);
	return entry.type === "attachment" ? readQueued(draft, fieldsOf(entry.attachment), time) : undefined;
}

/** The harness writes replies of its own where a request failed or none was made: no model said them. */
function readReply(draft: Draft, entry: Fields, line: number, time: number): Saying | undefined {
	const { id: messageId, model, content } = fieldsOf(entry.message);
	if (entry.isApiErrorMessage === true || model === "<synthetic>") return undefined;
	if (!Array.isArray(content) && typeof content !== "string") {
		draft.note(line, "the reply has no content: skipped");
		return undefined;
	}
	const isText = typeof content === "string";
	const reply = (!isText && textOf(messageId)) || `line ${line}`;
	const blocks = isText ? says(content) : recordsOf(content).flatMap((each) => readBlock(draft, each, line));
	return { reply, calls: callIds(blocks), say: () => draft.reply(blocks, time, reply) };
}

function readBlock(draft: Draft, block: Fields, line: number): readonly Block[] {
	const { type, id, name, input } = block;
	if (type === "text") return says(textOf(block.text));
	if (type === "thinking") return thinks(textOf(block.thinking));
	if (type === "tool_use") return [toolCall(textOf(id), textOf(name), input)];
	if (type !== "redacted_thinking")
		draft.note(line, `content block of kind ${JSON.stringify(type)}: left out`);
	return [];
}

function readTurn(draft: Draft, entry: Fields, line: number, time: number): Saying | undefined {
	const { content } = fieldsOf(entry.message);
	const blocks = typeof content === "string" ? [{ type: "text", text: content }] : recordsOf(content);
	if (content === undefined) draft.note(line, "the entry holds no content: skipped");
	const words = draft.parts(
		blocks.filter(({ type }) => type !== "tool_result"),
		line,
	);
	if (entry.isCompactSummary === true) return { say: () => draft.summary(joinText(words), time) };
	// Shown to the person, never sent.
	if (entry.isVisibleInTranscriptOnly === true) return undefined;
	const results = blocks.flatMap(({ type, tool_use_id, is_error, content: shown }) =>
		type === "tool_result"
			? [{ call: textOf(tool_use_id), isError: is_error === true, shown: draft.parts(shown, line) }]
			: [],
	);
	// The output of a slash command, and reports of background work.
	const isLocalOutput = /^\s*<(local-command-|task-notification)/.test(joinText(words));
	const isNote = entry.isMeta === true || isLocalOutput;
	return {
		results: results.map(({ call }) => call),
		say() {
			for (const { call, isError, shown } of results) draft.result(call, shown, time, isError);
			if (words.length > 0) (isNote ? draft.aside : draft.user)(words, time);
		},
	};
}

/**
 * Reads a message that the user wrote while the agent was at work. Other attachments are left out: their text is made
 * when sent.
 */
function readQueued(draft: Draft, { type, prompt, commandMode }: Fields, time: number): Saying | undefined {
	if (type !== "queued_command") return undefined;
	const words = readParts(prompt);
	const add = commandMode === "task-notification" ? draft.aside : draft.user;
	return { say: () => add(words, time) };
}

/**
 * The content that one line adds to the conversation: `say` adds it to the draft. `reply` is the id of the reply that a block
 * belongs to, `calls` are the ids of the calls that it makes, `results` those whose results it holds.
 */
interface Saying {
	readonly reply?: string;
	readonly calls?: readonly string[];
	readonly results?: readonly string[];
	readonly say: () => void;
}

/** No parent. */
const ROOT = "root";
/** The entry before it in the file, whatever it is called. */
const PREVIOUS = "previous";

/**
 * The branch that ends at the last thing said, in the order of the file, side chains left out (a file that holds
 * nothing else is a sub-agent's own). Two things hang next to it in the tree and belong to it: further blocks of its
 * replies, and results of calls that ran in parallel.
 */
function findBranch(nodes: readonly ClaudeNode[], draft: Draft): readonly Saying[] {
	const isWhole = nodes.every(({ isSide, saying }) => isSide || !saying);
	const own = isWhole ? nodes : nodes.filter(({ isSide }) => !isSide);
	const path = tracePath(own, draft);
	const replies = new Set([...path].flatMap(({ saying }) => saying?.reply ?? []));
	const members = new Set(own.filter((node) => path.has(node) || replies.has(node.saying?.reply ?? "")));
	const calls = new Set([...members].flatMap(({ saying }) => saying?.calls ?? []));
	const answered = new Set([...members].flatMap(({ saying }) => saying?.results ?? []));
	const isLate = (id: string) => calls.has(id) && !answered.has(id);
	return own.flatMap((node) => {
		const isMember = members.has(node) || node.saying?.results?.some(isLate) === true;
		return isMember && node.saying ? [node.saying] : [];
	});
}

function tracePath(nodes: readonly ClaudeNode[], { note }: Draft): ReadonlySet<ClaudeNode> {
	const places = new Map(nodes.map(({ id }, index) => [id, index]));
	const path = new Set<ClaudeNode>();
	let index = nodes.findLastIndex(({ saying }) => saying !== undefined);
	for (let node = nodes[index]; node && !path.has(node); node = nodes[index]) {
		path.add(node);
		if (node.parent === ROOT) break;
		const parent = node.parent === PREVIOUS ? index - 1 : places.get(node.parent);
		if (parent === undefined && index > 0)
			note(node.line, `parent ${JSON.stringify(node.parent)} not found: joined to the entry before it`);
		index = parent ?? index - 1;
	}
	return path;
}
