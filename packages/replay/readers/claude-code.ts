/**
 * Claude Code's transcripts, `projects/FOLDER/SESSION.jsonl`, and what `claude -p --output-format stream-json`
 * prints. Nothing official describes the file; the facts are from github.com/microsoft/amplifier,
 * ai_working/claude_code_logging, and from recorded files:
 * - each line holds one block of a reply, and the lines of one reply share `message.id`;
 * - entries form a tree by `uuid` and `parentUuid`, in which results of parallel calls are siblings;
 * - a compaction begins a new root; `logicalParentUuid` links it to what its summary stands for;
 * - sub-agents are side chains, in older versions of the same file, and `isMeta` marks what no person typed.
 */
import { traceBranch } from "./branch.ts";
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
import { type Fields, fieldsOf, isFields, recordsOf, textOf } from "./json.ts";

const BOOKKEEPING = new Set(
	"summary file-history-snapshot queue-operation permission-mode progress".split(" "),
);

export const claudeCodeReader: SessionReader = {
	format: "claude-code",
	recognise: ({ lines }) => lines.some(isEntry),
	async read(draft, entries) {
		const nodes = new Map<string, ClaudeNode>();
		for await (const entry of entries) {
			const node = readNode(draft, entry);
			// A resumed session may write entries again.
			if (node && !nodes.has(node.id)) nodes.set(node.id, node);
		}
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
function readNode(draft: Draft, entry: Fields) {
	const place = draft.place();
	const saying = readSaying(draft, entry);
	if (typeof entry.uuid !== "string" && !saying) return undefined;
	const isSide = entry.isSidechain === true || typeof entry.parent_tool_use_id === "string";
	return { place, id: textOf(entry.uuid) || `line ${place}`, parent: readParent(entry), isSide, saying };
}

function readParent(entry: Fields): string | null | undefined {
	if (typeof entry.parentUuid === "string") return entry.parentUuid;
	if (typeof entry.logicalParentUuid === "string") return entry.logicalParentUuid;
	// Older versions link a compaction to nothing.
	const isCompaction = entry.subtype === "compact_boundary" || entry.isCompactSummary === true;
	return isCompaction || entry.parentUuid === undefined ? undefined : null;
}

function readSaying(draft: Draft, entry: Fields): Saying | undefined {
	if (entry.type === "assistant") return readReply(draft, entry);
	if (entry.type === "user") return readTurn(draft, entry);
	return entry.type === "attachment" ? readQueued(draft, fieldsOf(entry.attachment)) : undefined;
}

/** The harness writes replies of its own where a request failed or none was made: no model said them. */
function readReply(draft: Draft, entry: Fields): Saying | undefined {
	const { id: messageId, model, content } = fieldsOf(entry.message);
	if (entry.isApiErrorMessage === true || model === "<synthetic>") return undefined;
	if (!Array.isArray(content) && typeof content !== "string") {
		draft.note("the reply has no content: skipped");
		return undefined;
	}
	const isText = typeof content === "string";
	const reply = (!isText && textOf(messageId)) || `line ${draft.place()}`;
	const blocks = isText ? says(content) : recordsOf(content).flatMap((each) => readBlock(draft, each));
	return { reply, calls: callIds(blocks), say: draft.later(() => draft.reply(blocks, reply)) };
}

function readBlock(draft: Draft, block: Fields): readonly Block[] {
	const { type, id, name, input } = block;
	if (type === "text") return says(textOf(block.text));
	if (type === "thinking") return thinks(textOf(block.thinking));
	if (type === "tool_use") return [toolCall(textOf(id), textOf(name), input)];
	if (type !== "redacted_thinking") draft.note(`content block of kind ${JSON.stringify(type)}: left out`);
	return [];
}

function readTurn(draft: Draft, entry: Fields): Saying | undefined {
	const { content } = fieldsOf(entry.message);
	const blocks = typeof content === "string" ? [{ type: "text", text: content }] : recordsOf(content);
	if (content === undefined) draft.note("the entry holds no content: skipped");
	const words = draft.parts(blocks.filter(({ type }) => type !== "tool_result"));
	if (entry.isCompactSummary === true) return { say: draft.later(() => draft.summary(joinText(words))) };
	// Shown to the person, never sent.
	if (entry.isVisibleInTranscriptOnly === true) return undefined;
	const results = blocks
		.filter(({ type }) => type === "tool_result")
		.map(({ tool_use_id, is_error, content: shown }) => {
			return { call: textOf(tool_use_id), isError: is_error === true, shown: draft.parts(shown) };
		});
	// The output of a slash command, and reports of background work.
	const isLocalOutput = /^\s*<(local-command-|task-notification)/.test(joinText(words));
	const isNote = entry.isMeta === true || isLocalOutput;
	const say = draft.later(() => {
		for (const { call, isError, shown } of results) draft.result(call, shown, isError);
		if (words.length > 0) (isNote ? draft.aside : draft.user)(words);
	});
	return { results: results.map(({ call }) => call), say };
}

/**
 * Reads a message that the user wrote while the agent was at work. Other attachments are left out: their text is made
 * when sent.
 */
function readQueued(draft: Draft, { type, prompt, commandMode }: Fields): Saying | undefined {
	if (type !== "queued_command") return undefined;
	const words = readParts(prompt);
	const add = commandMode === "task-notification" ? draft.aside : draft.user;
	return { say: draft.later(() => add(words)) };
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

/**
 * The branch that ends at the last thing said, in the order of the file, side chains left out (a file that holds
 * nothing else is a sub-agent's own). Two things hang next to it in the tree and belong to it: further blocks of its
 * replies, and results of calls that ran in parallel.
 */
function findBranch(nodes: readonly ClaudeNode[], draft: Draft): readonly Saying[] {
	const isWhole = nodes.every(({ isSide, saying }) => isSide || !saying);
	const own = isWhole ? nodes : nodes.filter(({ isSide }) => !isSide);
	const last = own.findLastIndex(({ saying }) => saying !== undefined);
	const path = traceBranch(own, last, draft.noteAt);
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
