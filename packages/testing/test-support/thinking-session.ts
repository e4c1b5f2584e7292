import { type Fields, objectsOf } from "../json.ts";
import { findStaleThinking, sealAnswer } from "../thinking/stale.ts";

export const text = (said: string): Fields => ({ type: "text", text: said });
export const thought = (said: string): Fields => ({ type: "thinking", thinking: said, signature: "" });
export const redacted = (said: string): Fields => ({ type: "redacted_thinking", thinking: said, data: "" });
export const use = (id: string, input: Fields = { path: "a.ts" }): Fields => {
	return { type: "tool_use", id, name: "read", input };
};
export const result = (id: string, content: unknown = `contents of ${id}`): Fields => {
	return { type: "tool_result", tool_use_id: id, content };
};
export const user = (...content: readonly Fields[]): Fields => ({ role: "user", content });

const READ = { name: "read", description: "Reads a file", input_schema: { type: "object" } };

/** A request to a checking model, before anything was said. */
export const EMPTY: Fields = {
	model: "claude-opus-5-5",
	max_tokens: 4000,
	thinking: { type: "adaptive", display: "summarized" },
	system: "You help.",
	tools: [READ],
	messages: [],
};

export function say(body: Fields, ...messages: readonly Fields[]): Fields {
	return { ...body, messages: [...objectsOf(body.messages), ...messages] };
}

/** The request with the model's answer to it, whose thinking is sealed as a provider seals it. */
export function answer(body: Fields, ...content: readonly Fields[]): Fields {
	return say(body, { role: "assistant", content: sealAnswer("anthropic", body, content) });
}

/** Replaces the message at an index, or removes it. */
export function edit(body: Fields, index: number, ...replacement: readonly Fields[]): Fields {
	return { ...body, messages: objectsOf(body.messages).toSpliced(index, 1, ...replacement) };
}

/** Replaces the block at a path, or removes it. */
export function editBlock(
	body: Fields,
	index: number,
	at: number,
	...replacement: readonly Fields[]
): Fields {
	const message = messageAt(body, index);
	const content = objectsOf(message.content).toSpliced(at, 1, ...replacement);
	return edit(body, index, { ...message, content });
}

export function messageAt(body: Fields, index: number): Fields {
	return objectsOf(body.messages)[index] ?? {};
}

export function blockAt(body: Fields, index: number, at: number): Fields {
	return objectsOf(messageAt(body, index).content)[at] ?? {};
}

/** Paths of the thinking that a checking provider rejects. */
export function stalePaths(body: Fields): readonly string[] {
	return findStaleThinking("anthropic", body).map(({ path }) => path);
}
