import { streamPieces, type Turn, type Usage } from "../server/turn.ts";
import type { Fields } from "../wire/json.ts";
import { plainEvent } from "./sse.ts";

function usageBody(usage: Usage | undefined): Fields | undefined {
	if (!usage) return undefined;
	return {
		prompt_tokens: usage.prompt,
		completion_tokens: usage.output,
		total_tokens: usage.prompt + usage.output,
		prompt_tokens_details: { cached_tokens: usage.read, cache_write_tokens: usage.written, audio_tokens: 0 },
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
export function streamCompletions(turn: Turn): readonly string[] {
	const head = {
		id: `chatcmpl-${turn.response}`,
		object: "chat.completion.chunk",
		created: turn.created,
		model: turn.model,
	};
	const chunk = (delta: Fields, finish: string | null): string =>
		plainEvent({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] });
	const usage = turn.streamUsage ? usageBody(turn.usage) : undefined;
	return [
		...deltas(turn).map((delta) => chunk(delta, null)),
		chunk({}, finishReason(turn)),
		...(usage ? [plainEvent({ ...head, choices: [], usage })] : []),
		plainEvent("[DONE]"),
	];
}

/** A turn as one `chat.completion`. */
export function wholeCompletions(turn: Turn): unknown {
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
