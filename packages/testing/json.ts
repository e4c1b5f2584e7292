/** Readers for unchecked JSON, and for the content of messages of the Messages API. A wrong type reads as empty, so callers need no casts. */

import { fieldsOf, recordsOf, textOf, type UnknownRecord } from "#basics";

/** Undefined for a text that is no JSON. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** The content blocks of a message, a result or the system prompt: a string stands for one text block, an empty one for none. */
export function blocksOf(content: unknown): readonly UnknownRecord[] {
	if (typeof content !== "string") return recordsOf(content);
	return content === "" ? [] : [{ type: "text", text: content }];
}

/** Tools that a block loads, in whatever depth it names them. */
export function loadedTools(block: UnknownRecord): readonly string[] {
	if (block.type === "tool_reference") return [textOf(block.tool_name)];
	const { content } = block;
	const { tool_references: found } = fieldsOf(content);
	return [...recordsOf(content), ...recordsOf(found)].flatMap(loadedTools);
}

export function isThinking({ type }: UnknownRecord): boolean {
	return type === "thinking" || type === "redacted_thinking";
}

/** Returns true if a user message continues a tool loop: it holds nothing but results. */
function isOnlyResults({ role, content }: UnknownRecord): boolean {
	return role === "user" && blocksOf(content).every((block) => block.type === "tool_result");
}

/** Index of the first message of the tool loop that the request continues; the end of the list if there is none. */
export function openLoopStart(messages: readonly UnknownRecord[]): number {
	if (!messages.some((message) => message.role === "assistant")) return messages.length;
	return 1 + messages.findLastIndex((message) => message.role === "user" && !isOnlyResults(message));
}

/** Returns true for a content of white space only; what is no text says something. */
export function isBlankContent(content: unknown): boolean {
	if (typeof content === "string") return content.trim() === "";
	const parts = recordsOf(content);
	return parts.length > 0 && parts.every(({ text }) => typeof text === "string" && text.trim() === "");
}

/** The type of an item of the Responses API; a message may leave it out. */
export function itemType({ type = "message" }: UnknownRecord): string {
	return String(type);
}
