/** The content of messages of the Messages API, as its rules, the prefix check and the reader see it. */
import { type Fields, objectsOf } from "./json.ts";

/** The content blocks of a message, a result or the system prompt: a string stands for one text block, an empty one for none. */
export function blocksOf(content: unknown): readonly Fields[] {
	if (typeof content !== "string") return objectsOf(content);
	return content === "" ? [] : [{ type: "text", text: content }];
}

export function isThinking({ type }: Fields): boolean {
	return type === "thinking" || type === "redacted_thinking";
}

/** Returns true if a user message continues a tool loop: it holds nothing but results. */
function isOnlyResults({ role, content }: Fields): boolean {
	return role === "user" && blocksOf(content).every((block) => block.type === "tool_result");
}

/** Index of the first message of the tool loop that the request continues; the end of the list if there is none. */
export function openLoopStart(messages: readonly Fields[]): number {
	if (!messages.some((message) => message.role === "assistant")) return messages.length;
	return 1 + messages.findLastIndex((message) => message.role === "user" && !isOnlyResults(message));
}
