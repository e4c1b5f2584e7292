/** The Messages API (docs.claude.com/en/api/messages). */
import { fieldsOf, recordsOf, textOf, type UnknownRecord } from "#basics";
import type { ModelMessage, ModelReply, ToolDefinition } from "../model.ts";
import { behaviorOf } from "../model-behavior.ts";
import { anthropicRules } from "../provider-rules/index.ts";
import { badRequest } from "../refusal.ts";
import { blocksIn, blocksOf, messagesIn } from "../request-body.ts";
import { itemId } from "../seal.ts";
import * as wire from "./api.ts";

function blocksText(content: unknown): string {
	return blocksOf(content)
		.map((block) => textOf(block.text))
		.filter((text) => text)
		.join("\n");
}

/** The messages of one; the results in a user message stand alone, before the rest. */
function readMessage({ role, content }: UnknownRecord): readonly ModelMessage[] {
	const blocks = blocksOf(content);
	const ofType = (type: string) => blocks.filter((block) => block.type === type);
	const text = blocksText(blocks);
	if (role === "system") return text === "" ? [] : [{ type: "system", text }];
	if (role === "assistant") {
		const thinking = blocks.map((block) => textOf(block.thinking)).join("");
		const calls = ofType("tool_use").map(({ id, name, input }) => ({
			id: textOf(id),
			name: textOf(name),
			arguments: fieldsOf(input),
		}));
		return [{ type: "assistant", thinking, text, calls }];
	}
	const results = ofType("tool_result").map(
		(block): ModelMessage => ({
			type: "result",
			callId: textOf(block.tool_use_id),
			text: blocksText(block.content),
			isError: block.is_error === true,
		}),
	);
	return results.length === blocks.length ? results : [...results, { type: "user", text }];
}

function visibleTexts(block: UnknownRecord): readonly string[] {
	switch (block.type) {
		case "tool_use":
		case "server_tool_use":
			return [textOf(block.name), JSON.stringify(block.input ?? {})];
		case "tool_result":
			return blocksOf(block.content).flatMap(visibleTexts);
		case "image":
			return [wire.IMAGE_TEXT];
		case "tool_addition":
			return [JSON.stringify(block.tool)];
		default:
			if (textOf(block.type).endsWith("_tool_result")) return [JSON.stringify(block.content)];
			return [textOf(block.thinking), textOf(block.text)];
	}
}

/**
 * Settings that invalidate the messages' cache, not the tools' (prompt-caching guide, "what invalidates"): thinking,
 * tool choice and the request's effort. The reaction to stale thinking is no setting of the model.
 */
function messageSettings(body: UnknownRecord): string {
	const { block_binding: _binding, ...thinking } = fieldsOf(body.thinking);
	const { effort = null } = fieldsOf(body.output_config);
	return JSON.stringify([body.thinking ? thinking : null, body.tool_choice ?? null, effort]);
}

/**
 * The cacheable blocks of the prompt in the provider's order. `place` stands in front of a block's own bytes, so that equal
 * blocks of another role or another place in their message differ.
 */
function promptBlocks(body: UnknownRecord) {
	const tools = recordsOf(body.tools).map((block) => ({ block, place: "tool", framing: 0 }));
	const system = blocksOf(body.system).map((block) => ({ block, place: "system", framing: 0 }));
	const messages = blocksIn(body).map(({ role, block, index, at }) => ({
		block,
		place: `${textOf(role)} ${at === 0 ? "begins" : "goes on"}${index + at === 0 ? messageSettings(body) : ""}`,
		framing: at === 0 ? wire.MESSAGE_FRAMING : 0,
	}));
	return [...tools, ...system, ...messages];
}

/** Five minutes in ms, or an hour if asked for (prompt-caching guide, "1-hour cache duration"). */
const lifetimeOf = (block: UnknownRecord): number =>
	(fieldsOf(block.cache_control).ttl === "1h" ? 60 : 5) * 60_000;

/** The tools in force: those of the request that are not deferred, changed by the system messages in order. */
function readTools(body: UnknownRecord): readonly ToolDefinition[] {
	const initial = recordsOf(body.tools).filter((tool) => tool.defer_loading !== true);
	const tools = new Map(initial.map((tool) => [textOf(tool.name), tool]));
	for (const { role, block } of blocksIn(body)) {
		const { name, definition } = fieldsOf(block.tool);
		const added = fieldsOf(definition);
		if (role !== "system") continue;
		if (block.type === "tool_removal") tools.delete(textOf(name));
		if (block.type === "tool_addition" && definition) tools.set(textOf(added.name), added);
	}
	return [...tools.values()].map((tool) => wire.toolOf(tool, tool.input_schema));
}

/** Reads a messages body (docs.claude.com/en/api/messages). */
function read(body: UnknownRecord, count: wire.CountTokens): wire.Reading {
	const blocks = promptBlocks(body);
	const thinking = fieldsOf(body.thinking).type;
	return {
		request: {
			system: blocksText(body.system),
			tools: readTools(body),
			messages: messagesIn(body).flatMap(readMessage),
		},
		thinking: thinking === "enabled" || thinking === "adaptive",
		segments: blocks.map(({ block, place, framing }) => {
			const { cache_control: _marker, ...unmarked } = block;
			const bytes = JSON.stringify(unmarked);
			const visible = place === "tool" ? [bytes] : visibleTexts(block);
			return wire.makeSegment(count, place + bytes, visible, framing, block);
		}),
		breakpoints: blocks.flatMap(({ block }, position) =>
			block.cache_control ? [{ position, lifetime: lifetimeOf(block) }] : [],
		),
	};
}

/** The three input columns exclude one another and add up to the prompt (prompt-caching guide, "tracking"). */
function usageBody(usage: wire.Usage): UnknownRecord {
	return {
		input_tokens: usage.prompt - usage.read - usage.written,
		cache_creation_input_tokens: usage.written,
		cache_creation: {
			ephemeral_5m_input_tokens: usage.written - usage.written1h,
			ephemeral_1h_input_tokens: usage.written1h,
		},
		cache_read_input_tokens: usage.read,
		output_tokens: usage.output,
	};
}

/** The content blocks of a reply, whose thinking is still to be sealed. */
const compose = (
	{ thinking, text, calls }: Required<ModelReply>,
	response: string,
): readonly UnknownRecord[] => [
	...(thinking ? [{ type: "thinking", thinking, signature: "" }] : []),
	...(text ? [{ type: "text", text }] : []),
	...calls.map((call, index) => {
		const id = itemId("toolu", response, thinking !== "", index);
		return { type: "tool_use", id, name: call.name, input: call.arguments };
	}),
];

/** The content as it goes out: thinking without its text if the request omits it. */
function presentContent({ content, body }: wire.Turn): readonly UnknownRecord[] {
	const { display } = fieldsOf(body.thinking);
	const omitsByDefault = behaviorOf(textOf(body.model)).omitsThinkingText;
	const omitsText = display === "omitted" || (display === undefined && omitsByDefault);
	return content.map((block) =>
		block.type === "thinking" && omitsText ? { ...block, thinking: "" } : block,
	);
}

/** A turn as one message. */
function whole(turn: wire.Turn) {
	return {
		id: `msg_${turn.response}`,
		type: "message",
		role: "assistant",
		model: textOf(turn.body.model),
		content: presentContent(turn),
		stop_reason: turn.reply.calls.length > 0 ? "tool_use" : "end_turn",
		stop_sequence: null,
		usage: usageBody(turn.usage),
		input_transformations: turn.transformations,
	};
}

/** A block before anything of it was streamed, and what streams it. */
function inPieces(block: UnknownRecord): readonly [empty: UnknownRecord, deltas: readonly UnknownRecord[]] {
	const pieces = (type: string, field: string, text: string): readonly UnknownRecord[] =>
		wire.streamPieces(text).map((piece) => ({ type, [field]: piece }));
	const { type, thinking, signature, text, input } = block;
	if (type === "text") return [{ ...block, text: "" }, pieces("text_delta", "text", textOf(text))];
	if (type === "tool_use")
		return [{ ...block, input: {} }, pieces("input_json_delta", "partial_json", JSON.stringify(input))];
	const thought = pieces("thinking_delta", "thinking", textOf(thinking));
	return [{ ...block, thinking: "", signature: "" }, [...thought, { type: "signature_delta", signature }]];
}

/** A turn as Messages events (docs.claude.com/en/docs/build-with-claude/streaming). */
function stream(turn: wire.Turn): readonly string[] {
	const message = whole(turn);
	const { content, stop_reason: stopReason, usage } = message;
	const started = { ...usage, output_tokens: 1 };
	const events: readonly UnknownRecord[] = [
		{ type: "message_start", message: { ...message, content: [], stop_reason: null, usage: started } },
		{ type: "ping" },
		...content.flatMap((block, index) => {
			const [empty, deltas] = inPieces(block);
			return [
				{ type: "content_block_start", index, content_block: empty },
				...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
				{ type: "content_block_stop", index },
			];
		}),
		{ type: "message_delta", delta: { stop_reason: stopReason, stop_sequence: null }, usage },
		{ type: "message_stop" },
	];
	return events.map(wire.serverEvent);
}

/** Errors as in docs.claude.com/en/api/errors. */
export const ANTHROPIC: wire.Api = {
	name: "anthropic",
	path: "/v1/messages",
	rules: anthropicRules,
	read,
	sealing: "anthropic",
	compose,
	stream,
	whole,
	errorBody: ({ type, message, code }) => {
		const details = code === undefined ? {} : { details: { error_code: code } };
		return { type: "error", error: { type, message, ...details }, request_id: null };
	},
	faults: {
		429: {
			type: "rate_limit_error",
			message: "This request would exceed your account's rate limit. Please try again later.",
		},
		500: { type: "api_error", message: "Internal server error" },
		529: { type: "overloaded_error", message: "Overloaded" },
	},
	overflow: (tokens, contextWindow) =>
		badRequest(`prompt is too long: ${tokens} tokens > ${contextWindow} maximum`),
};
