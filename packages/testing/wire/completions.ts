/** The Chat Completions API (platform.openai.com/docs/api-reference/chat). */
import { fieldsOf, parseFields, recordsOf, textOf, type UnknownRecord } from "#basics";
import type { ModelMessage } from "../model.ts";
import { completionsRules } from "../provider-rules/completions.ts";
import { functionCallsOf, messagesIn } from "../request-body.ts";
import * as wire from "./api.ts";

function readMessage(message: UnknownRecord): readonly ModelMessage[] {
	const text = wire.partText(message.content);
	switch (message.role) {
		case "user":
			return [{ type: "user", text }];
		case "assistant": {
			const calls = functionCallsOf(message).map(({ id, called: { name, arguments: args } }) => {
				return { id, name: textOf(name), arguments: parseFields(textOf(args)) };
			});
			return [{ type: "assistant", thinking: textOf(message.reasoning_content), text, calls }];
		}
		case "tool":
			return [{ type: "result", callId: textOf(message.tool_call_id), text, isError: false }];
		default:
			return [];
	}
}

const visibleTexts = (message: UnknownRecord): readonly string[] => [
	textOf(message.reasoning_content),
	...wire.partTexts(message.content, wire.IMAGE_TEXT),
	...functionCallsOf(message).flatMap(({ called }) => [textOf(called.name), textOf(called.arguments)]),
];

/** Reads a chat completions body (platform.openai.com/docs/api-reference/chat/create). */
function read(body: UnknownRecord, count: wire.CountTokens): wire.Reading {
	const messages = messagesIn(body);
	const tools = recordsOf(body.tools);
	const system = messages.filter(wire.isSystem).map(({ content }) => wire.partText(content));
	return {
		request: {
			system: system.join("\n"),
			tools: tools.map((tool) => wire.toolOf(fieldsOf(tool.function), fieldsOf(tool.function).parameters)),
			messages: messages.flatMap(readMessage),
		},
		thinking: true,
		segments: [
			...tools.map((tool) => wire.makeSegment(count, JSON.stringify(tool))),
			...messages.map((message) =>
				wire.makeSegment(count, JSON.stringify(message), visibleTexts(message), wire.MESSAGE_FRAMING),
			),
		],
	};
}

function usageBody(usage: wire.Usage): UnknownRecord {
	return {
		prompt_tokens: usage.prompt,
		completion_tokens: usage.output,
		total_tokens: usage.prompt + usage.output,
		prompt_tokens_details: { cached_tokens: usage.read, audio_tokens: 0 },
		completion_tokens_details: { reasoning_tokens: usage.thinking, audio_tokens: 0 },
	};
}

/** The message of a turn, whose JSON has no undefined fields. */
const messageOf = ({ reply: { thinking, text, calls }, response }: wire.Turn) => ({
	role: "assistant",
	content: text || null,
	refusal: null,
	reasoning_content: thinking || undefined,
	tool_calls:
		calls.length === 0
			? undefined
			: calls.map(({ name, arguments: args }, index) => ({
					id: `call_${response}${index}`,
					type: "function",
					function: { name, arguments: JSON.stringify(args) },
				})),
});

const headOf = ({ response, created, body }: wire.Turn, object: string): UnknownRecord => ({
	id: `chatcmpl-${response}`,
	object,
	created,
	model: textOf(body.model),
});

const finishReason = ({ reply }: wire.Turn): string => (reply.calls.length > 0 ? "tool_calls" : "stop");

/** A turn as `chat.completion.chunk` events. Only here the caller chooses if the stream ends with its usage. */
function stream(turn: wire.Turn): readonly string[] {
	const head = headOf(turn, "chat.completion.chunk");
	const { content, reasoning_content: thinking = "", tool_calls: calls = [] } = messageOf(turn);
	const deltas: readonly UnknownRecord[] = [
		{ role: "assistant", content: "", refusal: null },
		...wire.streamPieces(thinking).map((piece) => ({ reasoning_content: piece })),
		...wire.streamPieces(content ?? "").map((piece) => ({ content: piece })),
		...calls.map((call, index) => ({ tool_calls: [{ index, ...call }] })),
	];
	const chunk = (delta: UnknownRecord, finish: string | null): string =>
		wire.serverEvent({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] });
	const hasUsage = fieldsOf(turn.body.stream_options).include_usage === true;
	return [
		...deltas.map((delta) => chunk(delta, null)),
		chunk({}, finishReason(turn)),
		...(hasUsage ? [wire.serverEvent({ ...head, choices: [], usage: usageBody(turn.usage) })] : []),
		"data: [DONE]\n\n",
	];
}

/** A turn as one `chat.completion`. */
const whole = (turn: wire.Turn): UnknownRecord => ({
	...headOf(turn, "chat.completion"),
	choices: [{ index: 0, message: messageOf(turn), logprobs: null, finish_reason: finishReason(turn) }],
	usage: usageBody(turn.usage),
});

export const COMPLETIONS: wire.Api = {
	...wire.OPENAI_ERRORS,
	name: "completions",
	path: "/v1/chat/completions",
	rules: completionsRules,
	read,
	compose: () => [],
	stream,
	whole,
	overflow: (tokens, contextWindow) =>
		wire.openaiOverflow(
			`This model's maximum context length is ${contextWindow} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
		),
};
