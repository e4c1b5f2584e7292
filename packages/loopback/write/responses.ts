import type { ModelReply } from "../script/scripted-model.ts";
import { streamPieces, type Turn, type Usage } from "../server/turn.ts";
import { itemId, reasoningId } from "../wire/ids.ts";
import { type Fields, fieldsOf, objectsOf, stringOf } from "../wire/json.ts";
import { splitNamespace } from "../wire/namespace.ts";
import { typedEvent } from "./sse.ts";

function usageBody(usage: Usage | undefined): Fields | null {
	if (!usage) return null;
	return {
		input_tokens: usage.prompt,
		input_tokens_details: { cached_tokens: usage.read, cache_write_tokens: usage.written },
		output_tokens: usage.output,
		output_tokens_details: { reasoning_tokens: usage.thinking },
		total_tokens: usage.prompt + usage.output,
	};
}

/** The output items of a reply: reasoning, which is still to be sealed, then text, then calls. */
export function composeResponses(reply: Required<ModelReply>, response: string): readonly Fields[] {
	const { thinking, text, calls } = reply;
	const reasoned = thinking !== "";
	const items: Fields[] = [];
	if (reasoned) {
		const summary = [{ type: "summary_text", text: thinking }];
		items.push({ id: reasoningId(response), type: "reasoning", summary, encrypted_content: "" });
	}
	if (text || calls.length === 0) {
		const content = [{ type: "output_text", text, annotations: [], logprobs: [] }];
		const id = itemId("msg", response, reasoned, 0);
		items.push({ id, type: "message", status: "completed", role: "assistant", content });
	}
	for (const [index, call] of calls.entries()) {
		items.push({
			id: itemId("fc", response, reasoned, index),
			type: "function_call",
			status: "completed",
			call_id: `call_${response}${index}`,
			...splitNamespace(call.name),
			arguments: JSON.stringify(call.arguments),
		});
	}
	return items;
}

function responseBody(turn: Turn, status: string, output: readonly Fields[]): Fields {
	return {
		id: `resp_${turn.response}`,
		object: "response",
		created_at: turn.created,
		status,
		error: null,
		incomplete_details: null,
		model: turn.model,
		output,
		parallel_tool_calls: true,
		store: false,
		usage: status === "completed" ? usageBody(turn.usage) : null,
		...(turn.transformations ? { input_transformations: turn.transformations } : {}),
	};
}

/** The events between an item's `added` and `done`; `at` addresses the item in each of them. */
function contentEvents(item: Fields, at: Fields): readonly Fields[] {
	if (item.type === "function_call") {
		const args = stringOf(item.arguments);
		return [
			...streamPieces(args).map((delta) => ({
				type: "response.function_call_arguments.delta",
				...at,
				delta,
			})),
			{ type: "response.function_call_arguments.done", ...at, arguments: args },
		];
	}
	const reasoning = item.type === "reasoning";
	const name = reasoning ? "response.reasoning_summary" : "response.output";
	const partName = reasoning ? "response.reasoning_summary_part" : "response.content_part";
	const position = { ...at, ...(reasoning ? { summary_index: 0 } : { content_index: 0 }) };
	const part = fieldsOf(objectsOf(reasoning ? item.summary : item.content)[0]);
	const text = stringOf(part.text);
	return [
		{ type: `${partName}.added`, ...position, part: { ...part, text: "" } },
		...streamPieces(text).map((delta) => ({ type: `${name}_text.delta`, ...position, delta })),
		{ type: `${name}_text.done`, ...position, text },
		{ type: `${partName}.done`, ...position, part },
	];
}

/** An item as it stands before anything of it was streamed. */
function emptyItem(item: Fields): Fields {
	if (item.type === "reasoning") return { ...item, summary: [] };
	if (item.type === "message") return { ...item, status: "in_progress", content: [] };
	return { ...item, status: "in_progress", arguments: "" };
}

function itemEvents(item: Fields, index: number): readonly Fields[] {
	const at = { item_id: item.id, output_index: index };
	return [
		{ type: "response.output_item.added", output_index: index, item: emptyItem(item) },
		...contentEvents(item, at),
		{ type: "response.output_item.done", output_index: index, item },
	];
}

/** A turn as Responses events (platform.openai.com/docs/api-reference/responses-streaming). */
export function streamResponses(turn: Turn): readonly string[] {
	const items = turn.content;
	const events: readonly Fields[] = [
		{ type: "response.created", response: responseBody(turn, "in_progress", []) },
		{ type: "response.in_progress", response: responseBody(turn, "in_progress", []) },
		...items.flatMap(itemEvents),
		{ type: "response.completed", response: responseBody(turn, "completed", items) },
	];
	return events.map((event, index) => typedEvent({ ...event, sequence_number: index }));
}

/** A turn as one response. */
export function wholeResponses(turn: Turn): unknown {
	return responseBody(turn, "completed", turn.content);
}
