/** The Chat Completions API (platform.openai.com/docs/api-reference/chat). */

import { type Fields, fieldsOf, objectsOf, parseArguments, stringOf } from "../json.ts";
import type { ModelCall, ModelMessage, ToolDefinition } from "../model.ts";
import type { Segmenter } from "../prompt-cache.ts";
import { completionsRules } from "../provider-rules/completions.ts";
import {
	type Api,
	IMAGE_TEXT,
	isSystem,
	MESSAGE_FRAMING,
	OPENAI_FAULTS,
	openaiErrorBody,
	openaiOverflow,
	partText,
	partTexts,
	type Reading,
	serverEvent,
	streamPieces,
	type Turn,
	type Usage,
} from "./api.ts";

function readCall(call: Fields): ModelCall {
	const { name, arguments: args } = fieldsOf(call.function);
	return { id: stringOf(call.id), name: stringOf(name), arguments: parseArguments(stringOf(args)) };
}

function readMessage(message: Fields): readonly ModelMessage[] {
	const text = partText(message.content);
	switch (message.role) {
		case "user":
			return [{ type: "user", text }];
		case "assistant": {
			const calls = objectsOf(message.tool_calls).map(readCall);
			return [{ type: "assistant", thinking: stringOf(message.reasoning_content), text, calls }];
		}
		case "tool":
			return [{ type: "result", callId: stringOf(message.tool_call_id), text, isError: false }];
		default:
			return [];
	}
}

function visibleTexts(message: Fields): readonly string[] {
	const calls = objectsOf(message.tool_calls).map((call) => fieldsOf(call.function));
	return [
		stringOf(message.reasoning_content),
		...partTexts(message.content, IMAGE_TEXT),
		...calls.flatMap((call) => [stringOf(call.name), stringOf(call.arguments)]),
	];
}

function readTool(tool: Fields): ToolDefinition {
	const { name, description, parameters } = fieldsOf(tool.function);
	return { name: stringOf(name), description: stringOf(description), parameters };
}

/** Reads a chat completions body (platform.openai.com/docs/api-reference/chat/create). */
function read(body: Fields, segment: Segmenter): Reading {
	const messages = objectsOf(body.messages);
	const tools = objectsOf(body.tools);
	const toolSegments = tools.map((tool) => {
		const bytes = JSON.stringify(tool);
		return segment({ bytes, visible: () => [bytes], framing: 0 });
	});
	const messageSegments = messages.map((message) =>
		segment({
			bytes: JSON.stringify(message),
			visible: () => visibleTexts(message),
			framing: MESSAGE_FRAMING,
		}),
	);
	const system = messages.filter(isSystem);
	return {
		model: stringOf(body.model),
		stream: body.stream === true,
		streamUsage: fieldsOf(body.stream_options).include_usage === true,
		thinking: true,
		request: {
			system: system.map((message) => partText(message.content)).join("\n"),
			tools: tools.map(readTool),
			messages: messages.flatMap(readMessage),
		},
		segments: [...toolSegments, ...messageSegments],
	};
}

function usageBody(usage: Usage): Fields {
	return {
		prompt_tokens: usage.prompt,
		completion_tokens: usage.output,
		total_tokens: usage.prompt + usage.output,
		prompt_tokens_details: { cached_tokens: usage.read, audio_tokens: 0 },
		completion_tokens_details: { reasoning_tokens: usage.thinking, audio_tokens: 0 },
	};
}

function toolCalls(turn: Turn): readonly Fields[] {
	return turn.reply.calls.map((call, index) => ({
		id: `call_${turn.response}${index}`,
		type: "function",
		function: { name: call.name, arguments: JSON.stringify(call.arguments) },
	}));
}

function finishReason(turn: Turn): string {
	return turn.reply.calls.length > 0 ? "tool_calls" : "stop";
}

function deltas(turn: Turn): readonly Fields[] {
	const { thinking, text } = turn.reply;
	return [
		{ role: "assistant", content: "", refusal: null },
		...streamPieces(thinking).map((piece) => ({ reasoning_content: piece })),
		...streamPieces(text).map((piece) => ({ content: piece })),
		...toolCalls(turn).map((call, index) => ({ tool_calls: [{ index, ...call }] })),
	];
}

/** A turn as `chat.completion.chunk` events. */
function stream(turn: Turn): readonly string[] {
	const head = {
		id: `chatcmpl-${turn.response}`,
		object: "chat.completion.chunk",
		created: turn.created,
		model: turn.model,
	};
	const chunk = (delta: Fields, finish: string | null): string =>
		serverEvent({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] });
	return [
		...deltas(turn).map((delta) => chunk(delta, null)),
		chunk({}, finishReason(turn)),
		...(turn.streamUsage ? [serverEvent({ ...head, choices: [], usage: usageBody(turn.usage) })] : []),
		serverEvent("[DONE]"),
	];
}

/** A turn as one `chat.completion`. */
function whole(turn: Turn): unknown {
	const { thinking, text } = turn.reply;
	const calls = toolCalls(turn);
	const message = {
		role: "assistant",
		content: text || null,
		refusal: null,
		...(thinking ? { reasoning_content: thinking } : {}),
		...(calls.length > 0 ? { tool_calls: calls } : {}),
	};
	return {
		id: `chatcmpl-${turn.response}`,
		object: "chat.completion",
		created: turn.created,
		model: turn.model,
		choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(turn) }],
		usage: usageBody(turn.usage),
	};
}

export const COMPLETIONS: Api = {
	name: "completions",
	path: "/v1/chat/completions",
	rules: completionsRules,
	read,
	stream,
	whole,
	errorBody: openaiErrorBody,
	faults: OPENAI_FAULTS,
	overflow: (tokens, contextWindow) =>
		openaiOverflow(
			`This model's maximum context length is ${contextWindow} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
		),
};
