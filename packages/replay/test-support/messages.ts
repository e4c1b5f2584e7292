/** Recorded messages in few words. Timestamps are given by position, so that each message is told apart. */
import type { HostMessage } from "#pi/codec";
import * as say from "../../pi/test-support/host-messages.ts";
import type { RecordedSession } from "../readers/recorded-session.ts";

export const { calls, inOrder, says } = say;

const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 };

/** Costs of an answer for which nothing was charged. */
export const noCost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };

export function user(text: string): HostMessage {
	return say.user([say.words(text)]);
}

export function reply(...content: say.ModelBlock[]): say.ModelMessage {
	const model = { api: "anthropic-messages", provider: "anthropic", model: "test" } as const;
	const message = say.reply(content);
	return { ...message, ...model, usage: { ...message.usage, ...free } };
}

export function thinks(thinking: string): say.ModelBlock {
	return { type: "thinking", thinking };
}

export function result(toolCallId: string, text: string): HostMessage {
	return say.result(toolCallId, [say.words(text)]);
}

export function marker(content: string): HostMessage {
	return say.custom("cwl.marker", content);
}

export function recorded(...messages: readonly HostMessage[]): RecordedSession {
	return { path: "/sessions/a.jsonl", name: "a", format: "pi", messages: inOrder(...messages), damage: [] };
}

/** Deterministic and cheap: a token is four characters. */
export function countQuarters(text: string): number {
	return Math.ceil(text.length / 4);
}
