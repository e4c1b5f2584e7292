import { recordsOf, type UnknownRecord } from "#basics";
import { findStaleThinking, sealAnswer } from "../thinking/stale.ts";

export const text = (said: string): UnknownRecord => ({ type: "text", text: said });
export const thought = (said: string): UnknownRecord => ({ type: "thinking", thinking: said, signature: "" });
export const redacted = (said: string): UnknownRecord => ({
	type: "redacted_thinking",
	thinking: said,
	data: "",
});
export const use = (id: string, input: UnknownRecord = { path: "a.ts" }): UnknownRecord => {
	return { type: "tool_use", id, name: "read", input };
};
export const result = (id: string, content: unknown = `contents of ${id}`): UnknownRecord => {
	return { type: "tool_result", tool_use_id: id, content };
};
export const user = (...content: readonly UnknownRecord[]): UnknownRecord => ({ role: "user", content });

const READ = { name: "read", description: "Reads a file", input_schema: { type: "object" } };

/** A request to a checking model, before anything was said. */
export const EMPTY: UnknownRecord = {
	model: "claude-opus-5-5",
	max_tokens: 4000,
	thinking: { type: "adaptive", display: "summarized" },
	system: "You help.",
	tools: [READ],
	messages: [],
};

export function say(body: UnknownRecord, ...messages: readonly UnknownRecord[]): UnknownRecord {
	return { ...body, messages: [...recordsOf(body.messages), ...messages] };
}

/** The request with the model's answer to it, whose thinking is sealed as a provider seals it. */
export function answer(body: UnknownRecord, ...content: readonly UnknownRecord[]): UnknownRecord {
	return say(body, { role: "assistant", content: sealAnswer("anthropic", body, content) });
}

/** Replaces the message at an index, or removes it. */
export function edit(
	body: UnknownRecord,
	index: number,
	...replacement: readonly UnknownRecord[]
): UnknownRecord {
	return { ...body, messages: recordsOf(body.messages).toSpliced(index, 1, ...replacement) };
}

/** Replaces the block at a path, or removes it. */
export function editBlock(
	body: UnknownRecord,
	index: number,
	at: number,
	...replacement: readonly UnknownRecord[]
): UnknownRecord {
	const message = messageAt(body, index);
	const content = recordsOf(message.content).toSpliced(at, 1, ...replacement);
	return edit(body, index, { ...message, content });
}

export function messageAt(body: UnknownRecord, index: number): UnknownRecord {
	return recordsOf(body.messages)[index] ?? {};
}

export function blockAt(body: UnknownRecord, index: number, at: number): UnknownRecord {
	return recordsOf(messageAt(body, index).content)[at] ?? {};
}

/** Paths of the thinking that a checking provider rejects. */
export function stalePaths(body: UnknownRecord): readonly string[] {
	return findStaleThinking("anthropic", body).map(({ path }) => path);
}
