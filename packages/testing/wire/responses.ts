/** The Responses API (platform.openai.com/docs/api-reference/responses). */
import { fieldsOf, parseFields, recordsOf, textOf, type UnknownRecord } from "#basics";
import type { AssistantMessage, ModelMessage, ModelReply, ToolDefinition } from "../model.ts";
import { responsesRules } from "../provider-rules/responses.ts";
import { itemsIn, itemType as typeOf } from "../request-body.ts";
import { itemId, reasoningId } from "../seal.ts";
import * as wire from "./api.ts";

/**
 * Tools in a namespace, as Codex sends those of MCP servers: a call names the namespace and the tool. A scripted model
 * knows both as one name with a dot, which no tool's own name may hold.
 */
function joinNamespace({ namespace, name }: UnknownRecord): string {
	return typeof namespace === "string" ? `${namespace}.${textOf(name)}` : textOf(name);
}

function splitNamespace(name: string): UnknownRecord {
	const [namespace, ...rest] = name.split(".");
	return rest.length === 0 ? { name } : { namespace, name: rest.join(".") };
}

function readOutput(item: UnknownRecord): AssistantMessage {
	const empty: AssistantMessage = { type: "assistant", thinking: "", text: "", calls: [] };
	if (typeOf(item) === "reasoning") return { ...empty, thinking: wire.partText(item.summary) };
	if (typeOf(item) === "message") return { ...empty, text: wire.partText(item.content) };
	// A text that is no JSON object reads as no arguments, as in the SDKs.
	const args = parseFields(textOf(item.arguments));
	return { ...empty, calls: [{ id: textOf(item.call_id), name: joinNamespace(item), arguments: args }] };
}

function readItem(item: UnknownRecord): ModelMessage | undefined {
	if (typeOf(item) === "function_call_output") {
		const text = wire.partText(item.output);
		return { type: "result", callId: textOf(item.call_id), text, isError: false };
	}
	if (typeOf(item) !== "message" || item.role === "assistant") return readOutput(item);
	return wire.isSystem(item) ? undefined : { type: "user", text: wire.partText(item.content) };
}

/** A response is reasoning, then text, then calls, so whatever falls back in that order begins the next one. */
function readMessages(items: readonly UnknownRecord[]): readonly ModelMessage[] {
	const messages: ModelMessage[] = [];
	for (const item of items) {
		const message = readItem(item);
		if (!message) continue;
		const last = messages.at(-1);
		if (message.type !== "assistant" || last?.type !== "assistant") messages.push(message);
		else if ((message.thinking || message.text) && (last.text || last.calls.length > 0))
			messages.push(message);
		else
			messages[messages.length - 1] = {
				type: "assistant",
				thinking: last.thinking + message.thinking,
				text: last.text + message.text,
				calls: [...last.calls, ...message.calls],
			};
	}
	return messages;
}

function visibleTexts(item: UnknownRecord): readonly string[] {
	return [
		...wire.partTexts(item.summary),
		...wire.partTexts(item.content, wire.IMAGE_TEXT),
		...wire.partTexts(item.output, wire.IMAGE_TEXT),
		textOf(item.name),
		textOf(item.arguments),
	];
}

/** A namespace groups tools; each is one of the model's, by its full name. */
function readTool(tool: UnknownRecord): readonly ToolDefinition[] {
	if (tool.type !== "namespace") return [wire.toolOf(tool, tool.parameters)];
	return recordsOf(tool.tools).flatMap((inner) =>
		readTool({ ...inner, name: joinNamespace({ ...inner, namespace: tool.name }) }),
	);
}

/** Reads a responses body (platform.openai.com/docs/api-reference/responses/create). */
function read(body: UnknownRecord, count: wire.CountTokens): wire.Reading {
	const items = itemsIn(body);
	const tools = recordsOf(body.tools);
	const instructions = textOf(body.instructions);
	const system = items.filter(wire.isSystem).map(({ content }) => wire.partText(content));
	const plain = [...tools.map((tool) => JSON.stringify(tool)), instructions].filter(Boolean);
	const said = items.map((item) =>
		wire.makeSegment(count, JSON.stringify(item), visibleTexts(item), wire.MESSAGE_FRAMING, item),
	);
	const { effort } = fieldsOf(body.reasoning);
	return {
		request: {
			system: [instructions, ...system].filter((text) => text).join("\n"),
			tools: tools.flatMap(readTool),
			messages: readMessages(items),
		},
		thinking: typeof effort === "string" && effort !== "none",
		segments: [...plain.map((bytes) => wire.makeSegment(count, bytes)), ...said],
	};
}

function usageBody(usage: wire.Usage): UnknownRecord {
	return {
		input_tokens: usage.prompt,
		input_tokens_details: { cached_tokens: usage.read },
		output_tokens: usage.output,
		output_tokens_details: { reasoning_tokens: usage.thinking },
		total_tokens: usage.prompt + usage.output,
	};
}

/** The output items of a reply: reasoning, which is still to be sealed, then text, then calls. */
function compose(
	{ thinking, text, calls }: Required<ModelReply>,
	response: string,
): readonly UnknownRecord[] {
	const reasoned = thinking !== "";
	const summary = [{ type: "summary_text", text: thinking }];
	const reasoning = { id: reasoningId(response), type: "reasoning", summary, encrypted_content: "" };
	const content = [{ type: "output_text", text, annotations: [], logprobs: [] }];
	const head = { id: itemId("msg", response, reasoned, 0), type: "message", status: "completed" };
	return [
		...(reasoned ? [reasoning] : []),
		...(text || calls.length === 0 ? [{ ...head, role: "assistant", content }] : []),
		...calls.map((call, index) => ({
			id: itemId("fc", response, reasoned, index),
			type: "function_call",
			status: "completed",
			call_id: `call_${response}${index}`,
			...splitNamespace(call.name),
			arguments: JSON.stringify(call.arguments),
		})),
	];
}

function responseBody(turn: wire.Turn, status: string, output: readonly UnknownRecord[]): UnknownRecord {
	return {
		id: `resp_${turn.response}`,
		object: "response",
		created_at: turn.created,
		status,
		error: null,
		incomplete_details: null,
		model: textOf(turn.body.model),
		output,
		parallel_tool_calls: true,
		store: false,
		usage: status === "completed" ? usageBody(turn.usage) : null,
		input_transformations: turn.transformations,
	};
}

/** The events between an item's `added` and `done`; `at` addresses the item in each of them. */
function contentEvents(item: UnknownRecord, at: UnknownRecord): readonly UnknownRecord[] {
	if (item.type === "function_call") {
		const args = textOf(item.arguments);
		return [
			...wire.streamPieces(args).map((delta) => ({
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
	const position = { ...at, [reasoning ? "summary_index" : "content_index"]: 0 };
	const part = fieldsOf(recordsOf(reasoning ? item.summary : item.content)[0]);
	const text = textOf(part.text);
	return [
		{ type: `${partName}.added`, ...position, part: { ...part, text: "" } },
		...wire.streamPieces(text).map((delta) => ({ type: `${name}_text.delta`, ...position, delta })),
		{ type: `${name}_text.done`, ...position, text },
		{ type: `${partName}.done`, ...position, part },
	];
}

/** An item as it stands before anything of it was streamed. */
function emptyItem(item: UnknownRecord): UnknownRecord {
	if (item.type === "reasoning") return { ...item, summary: [] };
	if (item.type === "message") return { ...item, status: "in_progress", content: [] };
	return { ...item, status: "in_progress", arguments: "" };
}

function itemEvents(item: UnknownRecord, index: number): readonly UnknownRecord[] {
	const at = { item_id: item.id, output_index: index };
	return [
		{ type: "response.output_item.added", output_index: index, item: emptyItem(item) },
		...contentEvents(item, at),
		{ type: "response.output_item.done", output_index: index, item },
	];
}

/** A turn as Responses events (platform.openai.com/docs/api-reference/responses-streaming). */
function stream(turn: wire.Turn): readonly string[] {
	const items = turn.content;
	const events: readonly UnknownRecord[] = [
		{ type: "response.created", response: responseBody(turn, "in_progress", []) },
		{ type: "response.in_progress", response: responseBody(turn, "in_progress", []) },
		...items.flatMap(itemEvents),
		{ type: "response.completed", response: responseBody(turn, "completed", items) },
	];
	return events.map((event, index) => wire.serverEvent({ ...event, sequence_number: index }));
}

export const RESPONSES: wire.Api = {
	...wire.OPENAI_ERRORS,
	name: "responses",
	path: "/v1/responses",
	rules: responsesRules,
	read,
	sealing: "responses",
	compose,
	stream,
	whole: (turn) => responseBody(turn, "completed", turn.content),
	overflow: () =>
		wire.openaiOverflow(
			"Your input exceeds the context window of this model. Please adjust your input and try again.",
		),
};
