import { behaviorOf } from "../models/behavior.ts";
import type { ModelReply } from "../script/scripted-model.ts";
import { streamPieces, type Turn, type Usage } from "../server/turn.ts";
import { itemId } from "../wire/ids.ts";
import { type Fields, fieldsOf, stringOf } from "../wire/json.ts";
import { typedEvent } from "./sse.ts";

/** The three input columns exclude one another and add up to the prompt (prompt-caching guide, "tracking"). */
function inputUsage(usage: Usage | undefined): Fields {
	if (!usage) return {};
	return {
		input_tokens: usage.prompt - usage.read - usage.written,
		cache_creation_input_tokens: usage.written,
		cache_creation: {
			ephemeral_5m_input_tokens: usage.written - usage.written1h,
			ephemeral_1h_input_tokens: usage.written1h,
		},
		cache_read_input_tokens: usage.read,
	};
}

function outputUsage(usage: Usage | undefined): Fields {
	return usage ? { output_tokens: usage.output } : {};
}

/** The content blocks of a reply, whose thinking is still to be sealed. */
export function composeAnthropic(reply: Required<ModelReply>, response: string): readonly Fields[] {
	const { thinking, redactedThinking, text, calls } = reply;
	const hasThinking = thinking !== "" || redactedThinking !== "";
	const blocks: Fields[] = [];
	if (thinking) blocks.push({ type: "thinking", thinking, signature: "" });
	if (redactedThinking) blocks.push({ type: "redacted_thinking", thinking: redactedThinking, data: "" });
	if (text) blocks.push({ type: "text", text });
	for (const [index, call] of calls.entries()) {
		const id = itemId("toolu", response, hasThinking, index);
		blocks.push({ type: "tool_use", id, name: call.name, input: call.arguments });
	}
	return blocks;
}

/** Sealed content as it goes out: redacted thinking without its text, and plain thinking too if the request omits it. */
export function presentAnthropic(content: readonly Fields[], body: Fields): readonly Fields[] {
	const { display } = fieldsOf(body.thinking);
	const omitsByDefault = behaviorOf(stringOf(body.model)).omitsThinkingText;
	const omitsText = display === "omitted" || (display === undefined && omitsByDefault);
	return content.map((block) => {
		if (block.type === "redacted_thinking") return { type: block.type, data: block.data };
		return block.type === "thinking" && omitsText ? { ...block, thinking: "" } : block;
	});
}

function stopReason(turn: Turn): string {
	return turn.reply.calls.length > 0 ? "tool_use" : "end_turn";
}

function messageBody(turn: Turn, content: readonly Fields[], stop: string | null, usage: Fields): Fields {
	return {
		id: `msg_${turn.response}`,
		type: "message",
		role: "assistant",
		model: turn.model,
		content,
		stop_reason: stop,
		stop_sequence: null,
		usage,
		...(turn.transformations ? { input_transformations: turn.transformations } : {}),
	};
}

function blockDeltas(block: Fields): readonly Fields[] {
	switch (block.type) {
		case "thinking":
			return [
				...streamPieces(stringOf(block.thinking)).map((thinking) => ({ type: "thinking_delta", thinking })),
				{ type: "signature_delta", signature: block.signature },
			];
		case "redacted_thinking":
			return [];
		case "text":
			return streamPieces(stringOf(block.text)).map((text) => ({ type: "text_delta", text }));
		default:
			return streamPieces(JSON.stringify(block.input)).map((json) => ({
				type: "input_json_delta",
				partial_json: json,
			}));
	}
}

/** A block as it stands before anything of it was streamed. */
function emptyBlock(block: Fields): Fields {
	if (block.type === "thinking") return { ...block, thinking: "", signature: "" };
	if (block.type === "redacted_thinking") return block;
	return block.type === "text" ? { ...block, text: "" } : { ...block, input: {} };
}

function blockEvents(block: Fields, index: number): readonly Fields[] {
	return [
		{ type: "content_block_start", index, content_block: emptyBlock(block) },
		...blockDeltas(block).map((delta) => ({ type: "content_block_delta", index, delta })),
		{ type: "content_block_stop", index },
	];
}

/** A turn as Messages events (docs.claude.com/en/docs/build-with-claude/streaming). */
export function streamAnthropic(turn: Turn): readonly string[] {
	const { usage } = turn;
	const started = { ...inputUsage(usage), ...(usage ? { output_tokens: 1 } : {}) };
	const events: readonly Fields[] = [
		{ type: "message_start", message: messageBody(turn, [], null, started) },
		{ type: "ping" },
		...turn.content.flatMap(blockEvents),
		{
			type: "message_delta",
			delta: { stop_reason: stopReason(turn), stop_sequence: null },
			usage: { ...inputUsage(usage), ...outputUsage(usage) },
		},
		{ type: "message_stop" },
	];
	return events.map(typedEvent);
}

/** A turn as one message. */
export function wholeAnthropic(turn: Turn): unknown {
	const usage = { ...inputUsage(turn.usage), ...outputUsage(turn.usage) };
	return messageBody(turn, turn.content, stopReason(turn), usage);
}
