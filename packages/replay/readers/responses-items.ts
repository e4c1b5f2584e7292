/** The items of OpenAI's Responses API, in which Codex and mini-swe-agent record what was said. */

import { type Block, type Part, says, textPart, thinks, toolCall } from "./composing.ts";
import type { Fields } from "./json.ts";
import { fieldsOf, joinText, listOf, readArguments, readParts, textOf } from "./parts.ts";

export type Item =
	| { readonly type: "model"; readonly blocks: readonly Block[] }
	| { readonly type: "turn"; readonly role: string; readonly content: readonly Part[] }
	| {
			readonly type: "result";
			readonly callId: string;
			readonly content: readonly Part[];
			readonly isError: boolean;
	  }
	/** Of no consequence to what is sent. */
	| { readonly type: "aside" }
	| { readonly type: "unknown"; readonly kind: string };

/** `fallbackId` names calls that the API itself ran and gave no id. */
export function readItem(item: Fields, fallbackId: string): Item {
	const id = textOf(item.call_id) || textOf(item.id) || fallbackId;
	switch (item.type) {
		case "message":
			return readMessage(item);
		case "reasoning":
			return { type: "model", blocks: thinks(readReasoning(item)) };
		case "function_call":
			return call(id, textOf(item.name), readArguments(item.arguments));
		case "custom_tool_call":
			return call(id, textOf(item.name), { input: textOf(item.input) });
		case "local_shell_call":
			return call(id, "local_shell", fieldsOf(item.action));
		case "web_search_call":
		case "tool_search_call":
			return call(id, textOf(item.type), fieldsOf(item.action ?? item.arguments));
		case "function_call_output":
		case "custom_tool_call_output":
			return readOutput(id, item.output);
		case "ghost_snapshot":
		case "compaction":
		case "context_compaction":
		case "tool_search_output":
		case "other":
			return { type: "aside" };
		default:
			return { type: "unknown", kind: textOf(item.type) || "without a type" };
	}
}

function call(id: string, name: string, args: Fields): Item {
	return { type: "model", blocks: [toolCall(id, name, args)] };
}

function readMessage({ role, content }: Fields): Item {
	const parts = readParts(content);
	if (role === "assistant") return { type: "model", blocks: says(joinText(parts)) };
	return { type: "turn", role: textOf(role), content: parts };
}

/** Reasoning comes encrypted, with a summary for people; open models give it as `content`. */
function readReasoning({ summary, content }: Fields): string {
	const texts = [...listOf(content), ...listOf(summary)].map((part) => textOf(fieldsOf(part).text));
	return texts.filter((text) => text !== "").join("\n\n");
}

/** An output is a text, a list of parts, `{content, success}`, or the JSON of `{output, metadata: {exit_code}}`. */
function readOutput(callId: string, output: unknown): Item {
	const { content, success } = fieldsOf(output);
	const parts = readParts(content ?? output);
	const text = joinText(parts);
	const wrapped = text.startsWith('{"output":') ? readArguments(text) : {};
	if (typeof wrapped.output !== "string") {
		return { type: "result", callId, content: parts, isError: success === false || isFailure(text) };
	}
	const code = fieldsOf(wrapped.metadata).exit_code;
	return {
		type: "result",
		callId,
		content: [textPart(wrapped.output)],
		isError: typeof code === "number" && code !== 0,
	};
}

/** Failures are told in words, above the output proper. */
function isFailure(text: string): boolean {
	const head = text.slice(0, 400).split("\nOutput:")[0] ?? "";
	return /^(Exit code: -?[1-9]|Script failed|apply_patch verification failed|failed to parse function arguments)|^Process exited with code -?[1-9]/m.test(
		head,
	);
}
