/** Recordings of OpenAI's APIs: items of the Responses API (Codex, mini-swe-agent), calls of Chat Completions (both SWE-agents). */

import { type Fields, fieldsOf, recordsOf, textOf } from "./json.ts";
import { type Block, joinText, readArguments, readParts, reasons, says, toolCall } from "./message-parts.ts";

/** The calls of an assistant message of the Chat Completions API. `fallbackId` names those without an id. */
export function readToolCalls(message: Fields, fallbackId: string): readonly Block[] {
	return recordsOf(message.tool_calls).map((call, index) => {
		const { name, arguments: args } = fieldsOf(call.function);
		return toolCall(textOf(call.id) || `${fallbackId}-${index}`, textOf(name), args);
	});
}

/** Items that have no effect on what is sent. */
const ASIDES = new Set("ghost_snapshot compaction context_compaction tool_search_output other".split(" "));

/**
 * The kinds of items: `blocks` of the model, a turn of a `role`, a `result`, or of an `unknown` type. `fallbackId` names calls
 * that the API itself ran and gave no id.
 */
export function readItem(item: Fields, fallbackId: string) {
	const id = textOf(item.call_id) || textOf(item.id) || fallbackId;
	const type = textOf(item.type);
	switch (type) {
		case "message": {
			const content = readParts(item.content);
			const role = textOf(item.role);
			return role === "assistant" ? { blocks: says(joinText(content)) } : { turn: { role, content } };
		}
		case "reasoning":
			return { blocks: reasons(readReasoning(item), textOf(item.encrypted_content)) };
		case "function_call":
			return { blocks: [toolCall(id, textOf(item.name), item.arguments)] };
		case "custom_tool_call":
			return { blocks: [toolCall(id, textOf(item.name), { input: textOf(item.input) })] };
		case "local_shell_call":
			return { blocks: [toolCall(id, "local_shell", fieldsOf(item.action))] };
		case "web_search_call":
		case "tool_search_call":
			return { blocks: [toolCall(id, type, fieldsOf(item.action ?? item.arguments))] };
		case "function_call_output":
		case "custom_tool_call_output":
			return { result: readOutput(id, item.output) };
		default:
			return ASIDES.has(type) ? {} : { unknown: type || "without a type" };
	}
}

/** Reasoning comes encrypted, with a summary for people; open models give it as `content`. */
function readReasoning({ summary, content }: Fields): string {
	const texts = [...recordsOf(content), ...recordsOf(summary)].map(({ text }) => textOf(text));
	return texts.filter((text) => text !== "").join("\n\n");
}

/** An output is a text, a list of parts, `{content, success}`, or the JSON of `{output, metadata: {exit_code}}`. */
function readOutput(callId: string, output: unknown) {
	const { content, success } = fieldsOf(output);
	const parts = readParts(content ?? output);
	const text = joinText(parts);
	const wrapped = text.startsWith('{"output":') ? readArguments(text) : {};
	if (typeof wrapped.output !== "string") {
		return { callId, content: parts, isError: success === false || isFailure(text) };
	}
	const code = fieldsOf(wrapped.metadata).exit_code;
	const isError = typeof code === "number" && code !== 0;
	return { callId, content: [{ type: "text" as const, text: wrapped.output }], isError };
}

/** Failures are reported in words, above the output proper. */
function isFailure(text: string): boolean {
	const head = text.slice(0, 400).split("\nOutput:")[0] ?? "";
	return /^(Exit code: -?[1-9]|Script failed|apply_patch verification failed|failed to parse function arguments)|^Process exited with code -?[1-9]/m.test(
		head,
	);
}
