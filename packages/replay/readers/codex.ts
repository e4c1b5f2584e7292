/**
 * Codex rollouts, `sessions/YYYY/MM/DD/rollout-*.jsonl`: lines of `{timestamp, type, payload}`, of which those of
 * type `response_item` are what the model was sent and said (github.com/openai/codex, codex-rs/protocol/src/protocol.rs,
 * `RolloutItem`, and models.rs, `ResponseItem`). In the first versions the items stood bare on their lines. Reasoning
 * is encrypted at the source: its summary stands for it. A compaction leaves what it replaced in the file.
 */
import { type Draft, openDraft, type Part } from "./composing.ts";
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

interface Reading {
	readonly draft: Draft;
	/** The number of the request. Everything that the model says between two outputs or turns came with one. */
	request: number;
	/** Where each turn of a person begins, to take turns back by. */
	readonly turns: number[];
}

async function read({ path }: Opening): Promise<RecordedSession> {
	const draft = openDraft(path, ":");
	const reading: Reading = { draft, request: 0, turns: [] };
	await readEntries(path, draft.note, (entry, line) => readEntry(reading, entry, line));
	return draft.finish(codexReader.format);
}

function readEntry(reading: Reading, entry: Fields, line: number) {
	const time = timeOf(entry.timestamp);
	const payload = fieldsOf(entry.payload);
	if (entry.type === "response_item") addItem(reading, readItem(payload, `line ${line}`), line, time);
	else if (entry.type === "compacted") {
		reading.draft.summary(textOf(payload.message), time);
		reading.request += 1;
	} else if (entry.type === "event_msg") readEvent(reading, payload);
	else if (isBareItem(entry)) addItem(reading, readItem(entry, `line ${line}`), line, time);
}

/** Events repeat what items say, except for this one: the user went back and wrote something else. */
function readEvent(reading: Reading, { type, num_turns }: Fields) {
	if (type !== "thread_rolled_back" || typeof num_turns !== "number" || num_turns < 1) return;
	const start = reading.turns.at(-num_turns) ?? reading.turns[0] ?? 0;
	reading.draft.messages.splice(start);
	reading.turns.splice(-num_turns);
	reading.request += 1;
}

function addItem(reading: Reading, item: Item, line: number, time: number) {
	const { draft, request } = reading;
	switch (item.type) {
		case "model":
			return draft.reply(item.blocks, time, `request ${request}`);
		case "turn":
			return addTurn(reading, item.role, item.content, time);
		case "result":
			reading.request += 1;
			return draft.result(item.callId, item.content, time, item.isError);
		case "aside":
			return;
		default:
			draft.note(line, `item of kind ${JSON.stringify(item.kind)}: left out`);
	}
}

/** Developer messages are the agent's own, whatever they say. */
function addTurn(reading: Reading, role: string, content: readonly Part[], time: number) {
	const { draft, turns } = reading;
	reading.request += 1;
	if (role !== "user" || isContext(joinText(content))) {
		draft.aside(content, time);
		return;
	}
	turns.push(draft.messages.length);
	draft.user(content, time);
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
