/** pi's messages in few words, in the shapes that pi 0.73.1 hands to an extension. */
import type { HostMessage } from "../codec/host-message.ts";

export type ModelMessage = HostMessage & { readonly role: "assistant" };
export type ModelBlock = ModelMessage["content"][number];
export type ContentBlock = Exclude<(HostMessage & { readonly role: "user" })["content"], string>[number];

const usage: ModelMessage["usage"] = {
	input: 3,
	output: 5,
	cacheRead: 7,
	cacheWrite: 11,
	totalTokens: 26,
	cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

export const image: ContentBlock = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" };

export function words(text: string): ContentBlock & { readonly type: "text" } {
	return { type: "text", text };
}

export function user(content: string | ContentBlock[], timestamp = 0): HostMessage {
	return { role: "user", content, timestamp };
}

/** An answer of these blocks; a text is one of them. */
export function reply(said: string | ModelBlock | ModelBlock[], timestamp = 0): ModelMessage {
	const content = typeof said === "string" ? [says(said)] : [said].flat();
	const model = { api: "openai-responses", provider: "openai", model: "test" } as const;
	return { role: "assistant", content, ...model, usage, stopReason: "stop", timestamp };
}

export function thinks(thinking = "hm"): ModelBlock {
	return { type: "thinking", thinking, thinkingSignature: '{"type":"reasoning","id":"rs_1"}' };
}

/** A thought after a safety filter: nothing to read, only the sealed payload to hand back. */
export function redacted(): ModelBlock {
	return { type: "thinking", thinking: "", thinkingSignature: "c2VhbGVk", redacted: true };
}

export function says(text: string, textSignature?: string): ModelBlock {
	return { type: "text", text, ...(textSignature !== undefined && { textSignature }) };
}

export function calls(id: string, name = "read", args: Record<string, unknown> = {}): ModelBlock {
	return { type: "toolCall", id, name, arguments: args };
}

export function result(
	toolCallId: string,
	output: string | ContentBlock[],
	timestamp = 0,
	isError = false,
	toolName = "read",
): HostMessage {
	const content = typeof output === "string" ? [words(output)] : output;
	return { role: "toolResult", toolCallId, toolName, content, isError, timestamp };
}

export function custom(customType: string, content: string | ContentBlock[], timestamp = 0): HostMessage {
	return { role: "custom", customType, content, display: false, timestamp };
}

export function bash(command: string, output: string, timestamp = 0): HostMessage {
	const outcome = { output, exitCode: 0, cancelled: false, truncated: false };
	return { role: "bashExecution", command, ...outcome, timestamp };
}

/** `!!`: run, but kept from the model. */
export function hiddenBash(command: string, timestamp = 0): HostMessage {
	const outcome = { output: "", exitCode: 1, cancelled: false, truncated: false };
	return { role: "bashExecution", command, ...outcome, excludeFromContext: true, timestamp };
}

export function branchSummary(summary: string, timestamp = 0): HostMessage {
	return { role: "branchSummary", summary, fromId: "0a1b2c3d", timestamp };
}

export function compactionSummary(summary: string, timestamp = 0): HostMessage {
	return { role: "compactionSummary", summary, tokensBefore: 100_000, timestamp };
}

/** A message of a role that this version of pi does not have. */
export function ofLaterHost(timestamp = 0): HostMessage {
	return parse('{"role":"weather","sky":{"clouds":7}}', timestamp);
}

/** A message as a session file may hold it, whatever its type says. */
export function parse(json: string, timestamp = 0): HostMessage {
	return { ...JSON.parse(json), timestamp };
}

/** The messages with timestamps by position. */
export function inOrder(...messages: readonly HostMessage[]): readonly HostMessage[] {
	return messages.map((message, index) => ({ ...message, timestamp: index + 1 }));
}

/** Deterministic and cheap: a token is a character. */
export function countCharacters(text: string): number {
	return text.length;
}
