/** LangChain JS: a middleware for `createAgent`, in place of `contextEditingMiddleware`. */
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { createMiddleware } from "langchain";
import { isRecord, type UnknownRecord } from "#core";
import { type ContextOptions, createManagedContext, type Host } from "../context/managed-context.ts";
import {
	callDraft,
	opaque,
	type Reading,
	resultDraft,
	type TextReader,
	textDraft,
	textOf,
	textsOf,
	userReading,
} from "../context/reading.ts";
import type { Kept } from "../context/transcript.ts";

export { createFileStore } from "../context/file-store.ts";
export type { ContextOptions, PassStore, StoredPass } from "../context/managed-context.ts";

/**
 * Creates the middleware. Sessions are the threads of the agent, by `configurable.thread_id`. The agent's own state keeps
 * all messages; only requests are edited. Put it last in the list, so that it sees what is sent.
 */
export function cwlMiddleware(options: ContextOptions) {
	const context = createManagedContext(host, options);
	return createMiddleware({
		name: "cwl",
		async wrapModelCall(request, handler) {
			const thread = request.runtime.configurable?.thread_id ?? "";
			return await handler({ ...request, messages: [...(await context.project(thread, request.messages))] });
		},
	});
}

const host: Host<BaseMessage> = {
	read(message, reader) {
		if (HumanMessage.isInstance(message)) return userReading(message.content, reader);
		if (AIMessage.isInstance(message)) return readAnswer(message, reader);
		if (!ToolMessage.isInstance(message)) return opaque(message);
		const { tool_call_id: id, content, status } = message;
		const draft = resultDraft(id, content, status === "error", reader);
		const identity = JSON.stringify(["tool", id]);
		return { identity, units: [{ author: "tool", items: [{ draft, part: 0 }] }] };
	},
	edit(message, kept) {
		if (AIMessage.isInstance(message)) return editAnswer(message, kept);
		const text = kept.lines.get(0);
		if (!ToolMessage.isInstance(message) || text === undefined) return message;
		const { content } = message;
		const added =
			typeof content === "string" ? `${content}\n\n${text}` : [...content, { type: "text" as const, text }];
		return new ToolMessage({ ...fieldsOf(message), tool_call_id: message.tool_call_id, content: added });
	},
	note: (text) => new HumanMessage(text),
};

/** Blocks of a content that repeat a call of the message's list of calls. */
const CALL_BLOCKS = new Set(["tool_use", "tool_call", "function_call", "input_json_delta", "functionCall"]);
const REASONING_BLOCKS = new Set(["thinking", "redacted_thinking", "reasoning"]);
/** Keys under which integrations keep thinking outside of the content. */
const REASONING_KEYS = ["reasoning_content", "reasoning"];

/** The parts of an answer: its blocks, then its calls, then thinking outside of the content. */
function partsOf(message: AIMessage) {
	const { content, tool_calls: calls = [], additional_kwargs: more } = message;
	const blocks: readonly UnknownRecord[] =
		typeof content !== "string"
			? content.filter(isRecord)
			: content === ""
				? []
				: [{ type: "text", text: content }];
	const thinking = REASONING_KEYS.filter((key) => more[key] !== undefined && more[key] !== null);
	return { blocks, calls, thinking, firstCall: blocks.length, firstThinking: blocks.length + calls.length };
}

function readAnswer(message: AIMessage, reader: TextReader): Reading {
	const { blocks, calls, thinking, firstCall, firstThinking } = partsOf(message);
	const isKnown = ({ type }: UnknownRecord) =>
		type === "text" || REASONING_BLOCKS.has(textOf(type)) || CALL_BLOCKS.has(textOf(type));
	if (!blocks.every(isKnown) || calls.some(({ id }) => id === undefined)) return opaque(message);
	const said = blocks.flatMap((block, part) => {
		if (block.type === "text") return [{ draft: textDraft("text", textOf(block.text), reader), part }];
		if (!REASONING_BLOCKS.has(textOf(block.type))) return [];
		const text = textOf(block.thinking) || textOf(block.reasoning) || textOf(block.data);
		return [{ draft: textDraft("reasoning", text, reader), part }];
	});
	const called = calls.map(({ id = "", name, args }, index) => ({
		draft: callDraft(id, name, args, reader),
		part: firstCall + index,
	}));
	const thought = thinking.map((key, index) => {
		const text = textsOf(message.additional_kwargs[key]).join("\n");
		return { draft: textDraft("reasoning", text, reader), part: firstThinking + index };
	});
	const words = blocks.flatMap(({ type, text }) => (type === "text" ? [text] : []));
	const identity = JSON.stringify(["assistant", ...words, ...calls.map(({ id }) => id)]);
	return { identity, units: [{ author: "model", items: [...thought, ...said, ...called] }] };
}

function editAnswer(message: AIMessage, { keeps }: Kept): AIMessage {
	const { blocks, calls, thinking, firstCall, firstThinking } = partsOf(message);
	const kept = calls.filter((_, index) => keeps(firstCall + index));
	const ids = new Set(kept.map(({ id }) => id));
	const content = blocks.filter((block, part) => {
		const id = textOf(block.id) || textOf(block.call_id);
		return keeps(part) && (!CALL_BLOCKS.has(textOf(block.type)) || id === "" || ids.has(id));
	});
	// Integrations keep a second copy of calls and thinking here, as the provider wrote them.
	const dropped = new Set(["tool_calls", "function_call"]);
	for (const [index, key] of thinking.entries()) if (!keeps(firstThinking + index)) dropped.add(key);
	const more = Object.entries(message.additional_kwargs).filter(([key]) => !dropped.has(key));
	const { output: _, ...metadata } = message.response_metadata;
	return new AIMessage({
		...fieldsOf(message),
		content: typeof message.content === "string" ? textOf(content[0]?.text) : content.map(asBlock),
		tool_calls: kept,
		additional_kwargs: Object.fromEntries(more),
		response_metadata: metadata,
	});
}

/** A block of the message that it was read from. */
function asBlock(block: UnknownRecord): { readonly type: string } & UnknownRecord {
	return { ...block, type: textOf(block.type) };
}

function fieldsOf({ id, name, additional_kwargs, response_metadata }: BaseMessage) {
	return {
		...{ additional_kwargs, response_metadata },
		...(id !== undefined && { id }),
		...(name !== undefined && { name }),
	};
}
