import type { Segmenter } from "../cache/segment.ts";
import type { ModelMessage, ToolDefinition } from "../script/scripted-model.ts";
import { openSeal } from "../thinking/seal.ts";
import { type Fields, fieldsOf, objectsOf, parseArguments, stringOf } from "../wire/json.ts";
import { joinNamespace } from "../wire/namespace.ts";
import { IMAGE_TEXT, MESSAGE_FRAMING, openaiBreakpoints, type Reading } from "../wire/reading.ts";

type AssistantMessage = Extract<ModelMessage, { type: "assistant" }>;

const SYSTEM_ROLES = new Set(["system", "developer"]);

function partsTexts(content: unknown): readonly string[] {
	if (typeof content === "string") return [content];
	return objectsOf(content).map((part) => (part.type === "input_image" ? IMAGE_TEXT : stringOf(part.text)));
}

function partsText(content: unknown): string {
	if (typeof content === "string") return content;
	return objectsOf(content)
		.map((part) => stringOf(part.text))
		.join("\n");
}

/** The input's items; a plain string stands for one user message. */
function itemsOf(input: unknown): readonly Fields[] {
	return typeof input === "string" ? [{ role: "user", content: input }] : objectsOf(input);
}

/** Items of a message may leave `type` out. */
function typeOf(item: Fields): string {
	return typeof item.type === "string" ? item.type : "message";
}

function readOutput(item: Fields): AssistantMessage {
	const empty: AssistantMessage = { type: "assistant", thinking: "", text: "", calls: [] };
	if (typeOf(item) === "reasoning") return { ...empty, thinking: partsText(item.summary) };
	if (typeOf(item) === "message") return { ...empty, text: partsText(item.content) };
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
		return { type: "result", callId: stringOf(item.call_id), text: partsText(item.output), isError: false };
	}
	if (typeOf(item) !== "message" || item.role === "assistant") return readOutput(item);
	return SYSTEM_ROLES.has(stringOf(item.role)) ? undefined : { type: "user", text: partsText(item.content) };
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
		...partsTexts(item.summary),
		...partsTexts(item.content),
		...partsTexts(item.output),
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
	const system = items.filter((item) => SYSTEM_ROLES.has(stringOf(item.role)));
	return [stringOf(body.instructions), ...system.map((item) => partsText(item.content))]
		.filter((text) => text)
		.join("\n");
}

/** Reads a responses body (platform.openai.com/docs/api-reference/responses/create). */
export function readResponses(body: Fields, segment: Segmenter): Reading {
	const items = itemsOf(body.input);
	const tools = objectsOf(body.tools);
	const plain = [...tools.map((tool) => JSON.stringify(tool)), stringOf(body.instructions)].filter(Boolean);
	const head = plain.map((bytes) => segment({ bytes, visible: () => [bytes], framing: 0 }));
	const tail = items.map((item) => {
		const sealed = item.type === "reasoning" ? openSeal(stringOf(item.encrypted_content))?.tokens : undefined;
		const visible = (): readonly string[] => (sealed === undefined ? visibleTexts(item) : []);
		return segment({ bytes: JSON.stringify(item), visible, framing: MESSAGE_FRAMING + (sealed ?? 0) });
	});
	const ends = items.flatMap((item, index) =>
		item.role === "user" || item.type === "function_call_output" ? [head.length + index] : [],
	);
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
		breakpoints: openaiBreakpoints(ends),
	};
}
