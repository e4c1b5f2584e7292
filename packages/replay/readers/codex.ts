/**
 * Codex rollouts, `sessions/YYYY/MM/DD/rollout-*.jsonl`: lines of `{timestamp, type, payload}`, of which those of
 * type `response_item` are what the model was sent and said (github.com/openai/codex, codex-rs/protocol/src/protocol.rs,
 * `RolloutItem`, and models.rs, `ResponseItem`). In the first versions the items stood bare on their lines. Reasoning
 * is encrypted at the source: its size is that of the encrypted content. A compaction leaves what it replaced in the file.
 */
import type { Draft, SessionReader } from "./draft.ts";
import { type Fields, fieldsOf, isFields, textOf } from "./json.ts";
import { inclusiveUsage, joinText, type ReplyFacts } from "./message-parts.ts";
import { readItem } from "./responses-items.ts";

const ENVELOPES = new Set("session_meta response_item event_msg turn_context compacted".split(" "));
const BARE_ITEMS = new Set(
	"message reasoning function_call function_call_output local_shell_call".split(" "),
);

export const codexReader: SessionReader = {
	format: "codex",
	recognise: ({ lines }) => lines.some(isEntry),
	read: readRollout,
};

function isEntry(entry: Fields): boolean {
	if (ENVELOPES.has(textOf(entry.type))) return typeof entry.payload === "object";
	if (entry.record_type === "state") return true;
	if (entry.type === undefined) return "instructions" in entry && typeof entry.id === "string";
	return isBareItem(entry);
}

/** pi's first version has messages of the same type, but keeps their content one level further down. */
function isBareItem(entry: Fields): boolean {
	return (
		BARE_ITEMS.has(textOf(entry.type)) && !("message" in entry) && ("role" in entry || "call_id" in entry)
	);
}

/**
 * Codex's own marks of context that it sends in the user's name (codex-rs/core/src/contextual_user_message.rs):
 * tags of several words, whose number grows. What a person ran in the shell stays a person's.
 */
const CONTEXT =
	/^\s*(# AGENTS\.md instructions|<(?!user_shell_command)([a-z]+[_ ][a-z_ ]+|INSTRUCTIONS|skill)>)/;

async function readRollout(draft: Draft, entries: AsyncIterable<Fields>): Promise<void> {
	/** The number of the request. Everything that the model says between two outputs or turns came with one. */
	let request = 0;
	/** The index where each turn of a user begins, to take turns back by. */
	const turns: number[] = [];
	let facts: ReplyFacts = { api: "openai-responses", provider: "openai" };

	function addItem(fields: Fields) {
		const { blocks, turn, result, unknown } = readItem(fields, `line ${draft.place()}`);
		if (blocks) draft.reply(blocks, `request ${request}`, facts);
		if (unknown !== undefined) draft.noteUnknown("item of kind", unknown, "left out");
		if (turn || result) request += 1;
		if (result) draft.result(result.callId, result.content, result.isError);
		if (!turn) return;
		// Developer messages are the agent's own, whatever they say.
		if (turn.role !== "user" || CONTEXT.test(joinText(turn.content))) return draft.aside(turn.content);
		turns.push(draft.messages.length);
		draft.user(turn.content);
	}

	/** Events repeat what items say, except for two: the provider's count, and that the user went back in the conversation. */
	function readEvent({ type, num_turns, info }: Fields) {
		const { last_token_usage: last } = fieldsOf(info);
		if (type === "token_count" && isFields(last))
			draft.reportUsage(inclusiveUsage(last.input_tokens, last.cached_input_tokens, last.output_tokens));
		if (type !== "thread_rolled_back" || typeof num_turns !== "number" || num_turns < 1) return;
		draft.messages.splice(turns.at(-num_turns) ?? turns[0] ?? 0);
		turns.splice(-num_turns);
		request += 1;
	}

	for await (const entry of entries) {
		const payload = fieldsOf(entry.payload);
		// A fork begins with its own header, which that of its parent follows.
		if (entry.type === "session_meta" && !draft.hasId())
			draft.identify(textOf(payload.id), textOf(payload.cwd));
		if (entry.type === "turn_context") facts = { ...facts, model: textOf(payload.model) };
		if (entry.type === "response_item") addItem(payload);
		else if (entry.type === "compacted") {
			draft.summary(textOf(payload.message));
			request += 1;
		} else if (entry.type === "event_msg") readEvent(payload);
		else if (isBareItem(entry)) addItem(entry);
	}
}
