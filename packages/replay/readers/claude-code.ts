/**
 * Claude Code's transcripts, `projects/FOLDER/SESSION.jsonl`, and what `claude -p --output-format stream-json`
 * prints. Nothing official describes the file; the facts are from github.com/microsoft/amplifier,
 * ai_working/claude_code_logging, and from recorded files:
 * - each line holds one block of a reply, and the lines of one reply share `message.id`;
 * - entries form a tree by `uuid` and `parentUuid`, in which results of parallel calls are siblings;
 * - a compaction begins a new root; `logicalParentUuid` links it to what its summary stands for;
 * - sub-agents are side chains, in older versions of the same file, and `isMeta` marks what no person typed.
 */
import { stringsOf } from "#pi/codec";
import { traceBranch } from "./branch.ts";
import type { Draft, SessionReader } from "./draft.ts";
import { type Fields, fieldsOf, isFields, recordsOf, textOf } from "./json.ts";
import {
	type Block,
	callIds,
	joinText,
	type Part,
	type ReplyFacts,
	readParts,
	readThinking,
	says,
	toolCall,
	usageOf,
} from "./message-parts.ts";

const BOOKKEEPING = new Set(
	"summary file-history-snapshot queue-operation permission-mode progress".split(" "),
);

export const claudeCodeReader: SessionReader = {
	format: "claude-code",
	recognise: ({ lines }) => lines.some(isEntry),
	async read(draft, entries) {
		const nodes = new Map<string, ClaudeNode>();
		for await (const entry of entries) {
			draft.identify(textOf(entry.sessionId), textOf(entry.cwd));
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
	return entry.type === "attachment" ? readAttachment(draft, fieldsOf(entry.attachment)) : undefined;
}

/** The harness writes replies of its own where a request failed or none was made: no model said them. */
function readReply(draft: Draft, entry: Fields): Saying | undefined {
	const { id: messageId, model, content } = fieldsOf(entry.message);
	if (entry.isApiErrorMessage === true || model === "<synthetic>") return undefined;
	const isText = typeof content === "string";
	if (!Array.isArray(content) && !isText) return void draft.note("the reply has no content: skipped");
	const reply = (!isText && textOf(messageId)) || `line ${draft.place()}`;
	const blocks = blocksOf(content).flatMap((each) => readBlock(draft, each));
	const facts = readFacts(fieldsOf(entry.message));
	return { reply, calls: callIds(blocks), say: draft.later(() => draft.reply(blocks, reply, facts)) };
}

/** The blocks of a message; a text is one. */
function blocksOf(content: unknown): readonly Fields[] {
	return typeof content === "string" ? [{ type: "text", text: content }] : recordsOf(content);
}

/** Usage is summed over the model's own calls of a provider's tool: the last iteration has the size of the context. */
function readFacts({ model, usage }: Fields): ReplyFacts {
	const all = fieldsOf(usage);
	const last = recordsOf(all.iterations).findLast(({ type }) => type === "message") ?? all;
	return {
		api: "anthropic-messages",
		provider: "anthropic",
		model: textOf(model),
		...(isFields(usage) && {
			usage: usageOf({
				input: last.input_tokens,
				cached: last.cache_read_input_tokens,
				written: last.cache_creation_input_tokens,
				output: all.output_tokens,
			}),
		}),
	};
}

function readBlock(draft: Draft, block: Fields): readonly Block[] {
	const { type, id, name, input } = block;
	if (type === "text") return says(textOf(block.text));
	if (type === "thinking" || type === "redacted_thinking") return readThinking([block]);
	if (type === "tool_use") return [toolCall(textOf(id), textOf(name), input)];
	// What the provider itself ran stands in the reply, calls and results alike.
	if (type === "server_tool_use") return says(`${textOf(name)} ${JSON.stringify(input ?? {})}`);
	if (textOf(type).endsWith("_tool_result")) return says(joinStrings(block.content));
	draft.noteUnknown("content block of kind", type, "left out");
	return [];
}

/** All strings in a value, those of keys that hold encrypted content left out. */
function joinStrings(value: unknown): string {
	const strings = stringsOf(fieldsOf(isFields(value) ? value : { value }));
	return [...strings].flatMap(({ name, text }) => (name.startsWith("encrypted") ? [] : text)).join("\n");
}

function readTurn(draft: Draft, entry: Fields): Saying | undefined {
	const { content } = fieldsOf(entry.message);
	const blocks = blocksOf(content);
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
	return { results: results.map(({ call }) => call), isAttached: isNote, say };
}

/** The fields of attachments whose text the model is sent, as Claude Code writes them. */
const SENT = new Set("content snippet addedLines addedBlocks files condition newDate".split(" "));
/** Shown to the person, or used by the program alone. */
const UNSENT = new Set("hook_system_message command_permissions".split(" "));

/**
 * Reads what the program attached to the conversation: a message that the user wrote while the agent was at work, or a note
 * such as an edited file, diagnostics or a reminder. The wording around such a note is made when it is sent, and not in the file.
 */
function readAttachment(draft: Draft, { type, prompt, commandMode, ...fields }: Fields): Saying | undefined {
	if (UNSENT.has(textOf(type))) return undefined;
	const isQueued = type === "queued_command";
	const sent = Object.fromEntries(Object.entries(fields).filter(([name]) => SENT.has(name)));
	const words: readonly Part[] = isQueued ? readParts(prompt) : says(joinStrings(sent));
	if (words.length === 0) return undefined;
	const add = isQueued && commandMode !== "task-notification" ? draft.user : draft.aside;
	return { isAttached: true, say: draft.later(() => add(words)) };
}

/**
 * The content that one line adds to the conversation: `say` adds it to the draft. `reply` is the id of the reply that a block
 * belongs to, `calls` are the ids of the calls that it makes, `results` those whose results it holds.
 */
interface Saying {
	readonly reply?: string;
	readonly calls?: readonly string[];
	readonly results?: readonly string[];
	/** True for a note of the program, or what a person wrote meanwhile: it may hang on an older entry. */
	readonly isAttached?: boolean;
	readonly say: () => void;
}

/**
 * The branch of the last reply and of what follows it, in the order of the file, side chains left out (a file that holds
 * nothing else is a sub-agent's own). Three things hang next to it in the tree and belong to it: further blocks of its
 * replies, results of calls that ran in parallel, and notes that nothing follows. Each may be written late, so the last
 * line of a file does not say which branch is the live one.
 */
function findBranch(nodes: readonly ClaudeNode[], draft: Draft): readonly Saying[] {
	const isWhole = nodes.every(({ isSide, saying }) => isSide || !saying);
	const own = isWhole ? nodes : nodes.filter(({ isSide }) => !isSide);
	const path = traceBranch(own, findLeaf(own), draft.noteAt);
	const replies = new Set([...path].flatMap(({ saying }) => saying?.reply ?? []));
	const members = new Set(own.filter((node) => path.has(node) || replies.has(node.saying?.reply ?? "")));
	const calls = new Set([...members].flatMap(({ saying }) => saying?.calls ?? []));
	const answered = new Set([...members].flatMap(({ saying }) => saying?.results ?? []));
	const isLate = (id: string) => calls.has(id) && !answered.has(id);
	const ids = new Set([...members].map(({ id }) => id));
	const parents = new Set(own.map(({ parent }) => parent));
	return own.flatMap((node) => {
		const { saying, id, parent } = node;
		if (!saying) return [];
		const isNote = saying.isAttached === true && ids.has(parent ?? "") && !parents.has(id);
		const isMember = members.has(node) || isNote || saying.results?.some(isLate) === true;
		return isMember ? [saying] : [];
	});
}

/** The index of the last thing said that follows the last reply; of that reply, where nothing does. */
function findLeaf(nodes: readonly ClaudeNode[]): number {
	const lastReply = nodes.findLastIndex(({ saying }) => saying?.reply !== undefined);
	if (lastReply < 0) return nodes.findLastIndex(({ saying }) => saying !== undefined);
	const following = new Set([nodes[lastReply]?.id]);
	let leaf = lastReply;
	let previous = nodes[lastReply]?.id;
	for (const [index, { id, parent, saying }] of nodes.entries()) {
		if (index <= lastReply) continue;
		const isFollowing = following.has(parent === undefined ? previous : (parent ?? ""));
		previous = id;
		if (!isFollowing) continue;
		following.add(id);
		if (saying) leaf = index;
	}
	return leaf;
}
