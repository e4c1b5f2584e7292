/** Sessions under management, request by request, as pi would drive them. */
import type { Pass } from "#core/log";
import { type HostMessage, OUR_MESSAGES } from "../codec/host-message.ts";
import { policyByName } from "../session/live-policies.ts";
import { PASS_ENTRY, readLogEntries } from "../session/log-entries.ts";
import {
	createManagedSession,
	type ManagedSession,
	type RequestSettings,
} from "../session/managed-session.ts";
import * as say from "./host-messages.ts";

export const fixed = { system: 30, tools: 20 };

export function under(budget: number): RequestSettings {
	return { policy: policyByName("paper"), budget, fixed };
}

export function open(log: readonly Pass[] = []): ManagedSession {
	return createManagedSession(say.countCharacters, { passes: log });
}

/** How much of the session there is at each request: one goes out before each model message, and one at the end. */
export function requestPoints(messages: readonly HostMessage[]): readonly number[] {
	const points = messages.flatMap(({ role }, index) => (role === "assistant" ? [index] : []));
	return [...points, messages.length];
}

/** The messages as pi hands them over: cloned for each request. */
export function upTo(messages: readonly HostMessage[], point: number): readonly HostMessage[] {
	return structuredClone(messages.slice(0, point));
}

/** The messages as pi reads them back from the session file, where custom messages have the time of their entry; a damaged time stays as it is. */
export function reload(messages: readonly HostMessage[]): readonly HostMessage[] {
	return messages.map((message) => {
		const copy: HostMessage = JSON.parse(JSON.stringify(message));
		return copy.role === "custom" && typeof copy.timestamp === "number"
			? { ...copy, timestamp: copy.timestamp + 5 }
			: copy;
	});
}

export function reloadLog(log: readonly Pass[]): readonly Pass[] {
	const entries = log.map((data) => ({ type: "custom", customType: PASS_ENTRY, data }));
	return readLogEntries(JSON.parse(JSON.stringify(entries))).passes;
}

/** The bytes that are sent over the wire; timestamps are not part of them. */
export function bytes(messages: readonly HostMessage[]): string {
	return JSON.stringify(messages.map(({ timestamp: _, ...message }) => message));
}

/** The messages as they would be had they been written after the others: no two branches are written at one time. */
export function later(
	messages: readonly HostMessage[],
	others: readonly HostMessage[],
): readonly HostMessage[] {
	return messages.map((message) => ({ ...message, timestamp: message.timestamp + others.length + 1 }));
}

export function send(
	session: ManagedSession,
	messages: readonly HostMessage[],
	point: number,
	budget: number,
) {
	const before = session.state().log.length;
	const sent = session.request(upTo(messages, point), under(budget));
	/** `before` and `after` are the passes before the request and after it. */
	return { point, wire: bytes(sent.messages), before, after: session.state().log.length };
}

export function sendAll(session: ManagedSession, messages: readonly HostMessage[], budget: number) {
	return requestPoints(messages).map((point) => send(session, messages, point, budget));
}

/** Returns true for a message that a person is behind. */
export function isPersons(message: HostMessage): boolean {
	const isOthers = message.role === "custom" && !message.customType.startsWith(OUR_MESSAGES);
	return message.role === "user" || message.role === "bashExecution" || isOthers;
}

/** The number of results without a call before them, and of calls without a result. */
export function strays(messages: readonly HostMessage[]) {
	/** Calls of an id without a result of their own; two calls of one id need two. */
	const open = new Map<string, number>();
	let results = 0;
	for (const message of messages) {
		if (message.role === "toolResult") {
			const left = open.get(message.toolCallId);
			if (left === undefined) results += 1;
			else open.set(message.toolCallId, Math.max(0, left - 1));
		} else if (message.role === "assistant") {
			for (const block of message.content)
				if (block.type === "toolCall") open.set(block.id, (open.get(block.id) ?? 0) + 1);
		}
	}
	return { results, calls: [...open.values()].reduce((sum, left) => sum + left, 0) };
}

/** An act with one read, as pi's messages. */
export function act(number: number, length: number): readonly HostMessage[] {
	const mark = (id: string, args: Record<string, unknown>) => say.calls(`${id}${number}`, "delimiter", args);
	const start = { action: "start", name: `act ${number}`, type: "act", dependencies: [] };
	return [
		say.reply([mark("start", start), say.calls(`call${number}`, "read", { path: `src/${number}.ts` })]),
		say.result(`start${number}`, "ok"),
		say.result(`call${number}`, "x".repeat(length)),
		say.reply([mark("end", { action: "end" })]),
		say.result(`end${number}`, "ok"),
	];
}
