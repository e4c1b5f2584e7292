/** The Responses API (platform.openai.com/docs/api-reference/responses). */

import { type Fields, fieldsOf, objectsOf, parseArguments, stringOf } from "../json.ts";
import type { ModelMessage, ModelReply, ToolDefinition } from "../model.ts";
import type { Segmenter } from "../prompt-cache.ts";
import { responsesRules } from "../provider-rules/responses.ts";
import { itemId, openSeal, reasoningId } from "../seal.ts";
import { itemsOf } from "../thinking/formats.ts";
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

type AssistantMessage = Extract<ModelMessage, { type: "assistant" }>;

/**
 * Tools in a namespace, as Codex sends those of MCP servers: a call names the namespace and the tool. A scripted model
 * knows both as one name with a dot, which no tool's own name may hold.
 */
function joinNamespace({ namespace, name }: Fields): string {
	return typeof namespace === "string" ? `${namespace}.${stringOf(name)}` : stringOf(name);
}

function splitNamespace(name: string): Fields {
	const [namespace, ...rest] = name.split(".");
	return rest.length === 0 ? { name } : { namespace, name: rest.join(".") };
}

/** Items of a message may leave `type` out. */
function typeOf(item: Fields): string {
	return typeof item.type === "string" ? item.type : "message";
}

function readOutput(item: Fields): AssistantMessage {
	const empty: AssistantMessage = { type: "assistant", thinking: "", text: "", calls: [] };
	if (typeOf(item) === "reasoning") return { ...empty, thinking: partText(item.summary) };
	if (typeOf(item) === "message") return { ...empty, text: partText(item.content) };
	const args = parseArguments(stringOf(item.arguments));
	return { ...empty, calls: [{ id: stringOf(item.call_id), name: joinNamespace(item), arguments: args }] };
}

/** A response is reasoning, then text, then calls, so whatever falls back in that order begins the next one. */
function belongsTogether(earlier: AssistantMessage, later: AssistantMessage): boolean {
	if (later.thinking) return !earlier.text && earlier.calls.length === 0;
	if (later.text) return !earlier.text && earlier.calls.length === 0;
	return true;
}

function join(earlier: AssistantMessage, later: AssistantMessage): AssistantMessage {
	return {
		type: "assistant",
		thinking: earlier.thinking + later.thinking,
		text: earlier.text + later.text,
		calls: [...earlier.calls, ...later.calls],
	};
}

function readItem(item: Fields): ModelMessage | undefined {
	if (typeOf(item) === "function_call_output") {
		return { type: "result", callId: stringOf(item.call_id), text: partText(item.output), isError: false };
	}
	if (typeOf(item) !== "message" || item.role === "assistant") return readOutput(item);
	return isSystem(item) ? undefined : { type: "user", text: partText(item.content) };
}

function readMessages(items: readonly Fields[]): readonly ModelMessage[] {
	const messages: ModelMessage[] = [];
	for (const item of items) {
		const message = readItem(item);
		if (!message) continue;
		const last = messages.at(-1);
		if (message.type === "assistant" && last?.type === "assistant" && belongsTogether(last, message)) {
			messages[messages.length - 1] = join(last, message);
		} else {
			messages.push(message);
		}
	}
	return messages;
}

function visibleTexts(item: Fields): readonly string[] {
	return [
		...partTexts(item.summary),
		...partTexts(item.content, IMAGE_TEXT),
		...partTexts(item.output, IMAGE_TEXT),
		stringOf(item.name),
		stringOf(item.arguments),
	];
}

/** A namespace groups tools; each is one of the model's, by its full name. */
function readTool(tool: Fields): readonly ToolDefinition[] {
	const { name, description, parameters } = tool;
	if (tool.type === "namespace") {
		return objectsOf(tool.tools).flatMap((inner) =>
			readTool({ ...inner, name: joinNamespace({ ...inner, namespace: name }) }),
		);
	}
	return [{ name: stringOf(name), description: stringOf(description), parameters }];
}

function systemText(body: Fields, items: readonly Fields[]): string {
	const system = items.filter(isSystem);
	return [stringOf(body.instructions), ...system.map((item) => partText(item.content))]
		.filter((text) => text)
		.join("\n");
}

/** Reads a responses body (platform.openai.com/docs/api-reference/responses/create). */
function read(body: Fields, segment: Segmenter): Reading {
	const items = itemsOf(body.input);
	const tools = objectsOf(body.tools);
	const plain = [...tools.map((tool) => JSON.stringify(tool)), stringOf(body.instructions)].filter(Boolean);
	const head = plain.map((bytes) => segment({ bytes, visible: () => [bytes], framing: 0 }));
	const tail = items.map((item) => {
		const sealed = item.type === "reasoning" ? openSeal(stringOf(item.encrypted_content))?.tokens : undefined;
		const visible = (): readonly string[] => (sealed === undefined ? visibleTexts(item) : []);
		return segment({ bytes: JSON.stringify(item), visible, framing: MESSAGE_FRAMING + (sealed ?? 0) });
	});
	const effort = fieldsOf(body.reasoning).effort;
	return {
		model: stringOf(body.model),
		stream: body.stream === true,
		streamUsage: true,
		thinking: typeof effort === "string" && effort !== "none",
		request: {
			system: systemText(body, items),
			tools: tools.flatMap(readTool),
			messages: readMessages(items),
		},
		segments: [...head, ...tail],
	};
}

function usageBody(usage: Usage): Fields {
	return {
		input_tokens: usage.prompt,
		input_tokens_details: { cached_tokens: usage.read },
		output_tokens: usage.output,
		output_tokens_details: { reasoning_tokens: usage.thinking },
		total_tokens: usage.prompt + usage.output,
	};
}

/** The output items of a reply: reasoning, which is still to be sealed, then text, then calls. */
function compose(reply: Required<ModelReply>, response: string): readonly Fields[] {
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
function stream(turn: Turn): readonly string[] {
	const items = turn.content;
	const events: readonly Fields[] = [
		{ type: "response.created", response: responseBody(turn, "in_progress", []) },
		{ type: "response.in_progress", response: responseBody(turn, "in_progress", []) },
		...items.flatMap(itemEvents),
		{ type: "response.completed", response: responseBody(turn, "completed", items) },
	];
	return events.map((event, index) => serverEvent({ ...event, sequence_number: index }));
}

/** A turn as one response. */
function whole(turn: Turn): unknown {
	return responseBody(turn, "completed", turn.content);
}

export const RESPONSES: Api = {
	name: "responses",
	path: "/v1/responses",
	rules: responsesRules,
	read,
	sealing: { format: "responses", compose, present: (content) => content },
	stream,
	whole,
	errorBody: openaiErrorBody,
	faults: OPENAI_FAULTS,
	overflow: () =>
		openaiOverflow(
			"Your input exceeds the context window of this model. Please adjust your input and try again.",
		),
};
