/** Recordings of OpenAI's APIs: items of the Responses API (Codex, mini-swe-agent), calls of Chat Completions (both SWE-agents). */
import {
	type Block,
	joinText,
	type Part,
	readArguments,
	readParts,
	says,
	thinks,
	toolCall,
} from "./draft.ts";
import { type Fields, fieldsOf, recordsOf, textOf } from "./json.ts";

/** The calls of an assistant message of the Chat Completions API. `fallbackId` names those without an id. */
export function readToolCalls(message: Fields, fallbackId: string): readonly Block[] {
	return recordsOf(message.tool_calls).map((call, index) => {
		const { name, arguments: args } = fieldsOf(call.function);
		return toolCall(textOf(call.id) || `${fallbackId}-${index}`, textOf(name), args);
	});
}

type Result = {
	readonly type: "result";
	readonly callId: string;
	readonly content: readonly Part[];
	readonly isError: boolean;
};

export type Item =
	| { readonly type: "model"; readonly blocks: readonly Block[] }
	| { readonly type: "turn"; readonly role: string; readonly content: readonly Part[] }
	| Result
	/** Of no consequence to what is sent. */
	| { readonly type: "aside" }
	| { readonly type: "unknown"; readonly kind: string };

/** `fallbackId` names calls that the API itself ran and gave no id. */
export function readItem(item: Fields, fallbackId: string): Item {
	const id = textOf(item.call_id) || textOf(item.id) || fallbackId;
	const call = (name: string, args: unknown): Item => ({ type: "model", blocks: [toolCall(id, name, args)] });
	switch (item.type) {
		case "message": {
			const content = readParts(item.content);
			if (item.role === "assistant") return { type: "model", blocks: says(joinText(content)) };
			return { type: "turn", role: textOf(item.role), content };
		}
		case "reasoning":
			return { type: "model", blocks: thinks(readReasoning(item)) };
		case "function_call":
			return call(textOf(item.name), item.arguments);
		case "custom_tool_call":
			return call(textOf(item.name), { input: textOf(item.input) });
		case "local_shell_call":
			return call("local_shell", fieldsOf(item.action));
		case "web_search_call":
		case "tool_search_call":
			return call(textOf(item.type), fieldsOf(item.action ?? item.arguments));
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

/** Reasoning comes encrypted, with a summary for people; open models give it as `content`. */
function readReasoning({ summary, content }: Fields): string {
	const texts = [...recordsOf(content), ...recordsOf(summary)].map(({ text }) => textOf(text));
	return texts.filter((text) => text !== "").join("\n\n");
}

/** An output is a text, a list of parts, `{content, success}`, or the JSON of `{output, metadata: {exit_code}}`. */
function readOutput(callId: string, output: unknown): Result {
	const { content, success } = fieldsOf(output);
	const parts = readParts(content ?? output);
	const text = joinText(parts);
	const wrapped = text.startsWith('{"output":') ? readArguments(text) : {};
	if (typeof wrapped.output !== "string") {
		return { type: "result", callId, content: parts, isError: success === false || isFailure(text) };
	}
	const code = fieldsOf(wrapped.metadata).exit_code;
	const isError = typeof code === "number" && code !== 0;
	return { type: "result", callId, content: [{ type: "text", text: wrapped.output }], isError };
}

/** Failures are reported in words, above the output proper. */
function isFailure(text: string): boolean {
	const head = text.slice(0, 400).split("\nOutput:")[0] ?? "";
	return /^(Exit code: -?[1-9]|Script failed|apply_patch verification failed|failed to parse function arguments)|^Process exited with code -?[1-9]/m.test(
		head,
	);
}
