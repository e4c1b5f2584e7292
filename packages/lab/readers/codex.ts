/**
 * Codex rollouts, `sessions/YYYY/MM/DD/rollout-*.jsonl`: lines of `{timestamp, type, payload}`, of which those of
 * type `response_item` are what the model was sent and said (github.com/openai/codex, codex-rs/protocol/src/protocol.rs,
 * `RolloutItem`, and models.rs, `ResponseItem`). In the first versions the items stood bare on their lines. Reasoning
 * is encrypted at the source: its summary stands for it. A compaction leaves what it replaced in the file.
 */
import {
	addSummary,
	type Block,
	type Draft,
	finishDraft,
	hostNote,
	modelReply,
	openDraft,
	type Part,
	toolResult,
	userMessage,
} from "./composing.ts";
import { readEntries } from "./entries.ts";
import { type Fields, parseFields } from "./json.ts";
import { fieldsOf, joinText, textOf, timeOf } from "./parts.ts";
import { type Item, readItem } from "./responses-items.ts";
import type { Opening, RecordedSession, SessionReader } from "./session-reader.ts";

export const codexReader: SessionReader = { format: "codex", recognise, read };

const ENVELOPES = new Set(["session_meta", "response_item", "event_msg", "turn_context", "compacted"]);
const BARE_ITEMS = new Set([
	"message",
	"reasoning",
	"function_call",
	"function_call_output",
	"local_shell_call",
]);

function recognise({ firstLines }: Opening): boolean {
	return firstLines.map(parseFields).some((entry) => {
		if (!entry) return false;
		if (ENVELOPES.has(textOf(entry.type))) return typeof entry.payload === "object";
		if (entry.record_type === "state") return true;
		if (entry.type === undefined) return "instructions" in entry && typeof entry.id === "string";
		return isBareItem(entry);
	});
}

/** pi's first version has messages of the same type, but keeps their content one level further down. */
function isBareItem(entry: Fields): boolean {
	return (
		BARE_ITEMS.has(textOf(entry.type)) && !("message" in entry) && ("role" in entry || "call_id" in entry)
	);
}

interface Reading extends Draft {
	readonly tools: Map<string, string>;
	/** The reply that model items go to; undefined once something else was said. */
	open: Block[] | undefined;
	/** Where each turn of a person begins, to take turns back by. */
	readonly turns: number[];
}

async function read({ path }: Opening): Promise<RecordedSession> {
	const draft = openDraft(path, ":");
	const reading: Reading = { ...draft, tools: new Map(), open: undefined, turns: [] };
	await readEntries(path, draft.note, (entry, line) => readEntry(reading, entry, line));
	return finishDraft(draft, path, codexReader.format);
}

function readEntry(reading: Reading, entry: Fields, line: number) {
	const time = timeOf(entry.timestamp);
	const payload = fieldsOf(entry.payload);
	if (entry.type === "response_item") addItem(reading, readItem(payload, `line ${line}`), line, time);
	else if (entry.type === "compacted") {
		addSummary(reading, textOf(payload.message), time);
		reading.open = undefined;
	} else if (entry.type === "event_msg") readEvent(reading, payload);
	else if (isBareItem(entry)) addItem(reading, readItem(entry, `line ${line}`), line, time);
}

/** Events repeat what items say, except for this one: the user went back and wrote something else. */
function readEvent(reading: Reading, { type, num_turns }: Fields) {
	if (type !== "thread_rolled_back" || typeof num_turns !== "number" || num_turns < 1) return;
	const start = reading.turns.at(-num_turns) ?? reading.turns[0] ?? 0;
	reading.messages.splice(start);
	reading.turns.splice(-num_turns);
	reading.open = undefined;
}

function addItem(reading: Reading, item: Item, line: number, time: number) {
	switch (item.type) {
		case "model":
			extendReply(reading, item.blocks, time);
			break;
		case "turn":
			addTurn(reading, item.role, item.content, time);
			break;
		case "result": {
			const { callId, content, isError } = item;
			const tool = reading.tools.get(callId) ?? "unknown";
			reading.messages.push(toolResult({ callId, tool, content, isError, timestamp: time }));
			reading.open = undefined;
			break;
		}
		case "aside":
			break;
		default:
			reading.note(line, `item of kind ${JSON.stringify(item.kind)}: left out`);
	}
}

/** Everything that the model says between two outputs or turns came with one request. */
function extendReply(reading: Reading, blocks: readonly Block[], time: number) {
	for (const block of blocks) if (block.type === "toolCall") reading.tools.set(block.id, block.name);
	const { messages, open } = reading;
	if (open) {
		open.push(...blocks);
		const timestamp = messages.at(-1)?.timestamp ?? time;
		messages[messages.length - 1] = modelReply(open, timestamp);
		return;
	}
	reading.open = [...blocks];
	messages.push(modelReply(blocks, time));
}

/** Developer messages are the agent's own, whatever they say. */
function addTurn(reading: Reading, role: string, content: readonly Part[], time: number) {
	const { messages, turns } = reading;
	reading.open = undefined;
	if (role !== "user" || isContext(joinText(content))) {
		messages.push(hostNote(content, time));
		return;
	}
	turns.push(messages.length);
	messages.push(userMessage(content, time));
}

/**
 * Codex's own marks of context that it sends in the person's name (codex-rs/core/src/contextual_user_message.rs):
 * tags of several words, whose number grows. What a person ran in the shell stays a person's.
 */
const CONTEXT =
	/^\s*(# AGENTS\.md instructions|<(?!user_shell_command)([a-z]+[_ ][a-z_ ]+|INSTRUCTIONS|skill)>)/;

function isContext(text: string): boolean {
	return CONTEXT.test(text);
}
