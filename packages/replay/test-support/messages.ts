/** Recorded messages in few words. Timestamps are given by position, so that each message is told apart. */
import type { HostMessage } from "#pi/codec";
import type { RecordedSession } from "../readers/session-reader.ts";

type Reply = HostMessage & { readonly role: "assistant" };
type Block = Reply["content"][number];

const usage: Reply["usage"] = {
	input: 0,
	output: 0,
	cacheRead: 0,
	cacheWrite: 0,
	totalTokens: 0,
	cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

export function user(text: string): HostMessage {
	return { role: "user", content: [{ type: "text", text }], timestamp: 0 };
}

export function reply(...content: Block[]): HostMessage {
	const model = { api: "anthropic-messages", provider: "anthropic", model: "test" } as const;
	return { role: "assistant", content, ...model, usage, stopReason: "stop", timestamp: 0 };
}

export function says(text: string): Block {
	return { type: "text", text };
}

export function thinks(thinking: string): Block {
	return { type: "thinking", thinking };
}

export function calls(id: string, name: string, args: Readonly<Record<string, unknown>> = {}): Block {
	return { type: "toolCall", id, name, arguments: args };
}

export function result(toolCallId: string, text: string): HostMessage {
	const content = [{ type: "text" as const, text }];
	return { role: "toolResult", toolCallId, toolName: "tool", content, isError: false, timestamp: 0 };
}

export function marker(content: string): HostMessage {
	return { role: "custom", customType: "cwl.marker", content, display: false, timestamp: 0 };
}

/** The messages in order of time. */
export function inOrder(...messages: readonly HostMessage[]): readonly HostMessage[] {
	return messages.map((message, index) => ({ ...message, timestamp: index + 1 }));
}

export function recorded(...messages: readonly HostMessage[]): RecordedSession {
	return { path: "/sessions/a.jsonl", name: "a", format: "pi", messages: inOrder(...messages), damage: [] };
}

/** Deterministic and cheap: a token is four characters. */
export function countQuarters(text: string): number {
	return Math.ceil(text.length / 4);
}
