import type { Segmenter } from "../cache/segment.ts";
import type { ModelCall, ModelMessage, ToolDefinition } from "../script/scripted-model.ts";
import { type Fields, fieldsOf, objectsOf, parseArguments, stringOf } from "../wire/json.ts";
import { IMAGE_TEXT, MESSAGE_FRAMING, openaiBreakpoints, type Reading } from "../wire/reading.ts";

const SYSTEM_ROLES = new Set(["system", "developer"]);

/** Content is a string or a list of parts; images count but carry no text. */
function contentTexts(content: unknown): readonly string[] {
	if (typeof content === "string") return [content];
	return objectsOf(content).map((part) => (part.type === "image_url" ? IMAGE_TEXT : stringOf(part.text)));
}

function contentText(content: unknown): string {
	if (typeof content === "string") return content;
	return objectsOf(content)
		.map((part) => stringOf(part.text))
		.join("\n");
}

function readCall(call: Fields): ModelCall {
	const { name, arguments: args } = fieldsOf(call.function);
	return { id: stringOf(call.id), name: stringOf(name), arguments: parseArguments(stringOf(args)) };
}

function readMessage(message: Fields): readonly ModelMessage[] {
	const text = contentText(message.content);
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
		...contentTexts(message.content),
		...calls.flatMap((call) => [stringOf(call.name), stringOf(call.arguments)]),
	];
}

function readTool(tool: Fields): ToolDefinition {
	const { name, description, parameters } = fieldsOf(tool.function);
	return { name: stringOf(name), description: stringOf(description), parameters };
}

/** Reads a chat completions body (platform.openai.com/docs/api-reference/chat/create). */
export function readCompletions(body: Fields, segment: Segmenter): Reading {
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
	const ends = messages.flatMap(({ role }, index) =>
		role === "user" || role === "tool" ? [toolSegments.length + index] : [],
	);
	const system = messages.filter((message) => SYSTEM_ROLES.has(stringOf(message.role)));
	return {
		model: stringOf(body.model),
		stream: body.stream === true,
		streamUsage: fieldsOf(body.stream_options).include_usage === true,
		thinking: true,
		request: {
			system: system.map((message) => contentText(message.content)).join("\n"),
			tools: tools.map(readTool),
			messages: messages.flatMap(readMessage),
		},
		segments: [...toolSegments, ...messageSegments],
		breakpoints: openaiBreakpoints(ends),
	};
}
