/** The exchanges of a recorded history that break a rule by themselves, so that a request is judged without them. */

import type { HostMessage } from "#pi";
import { baseId } from "#replay";

type Messages = readonly HostMessage[];

/** A request with the history that it was made from. */
export interface Exchanged {
	readonly sent: Messages;
	readonly history: Messages;
}

/** Keys of the messages in exchanges that break a rule. */
export type Broken = Set<string>;

/**
 * Leaves out of both lists the exchanges that break the rule in the history, so that the rest of the history keeps the
 * rule. An exchange is an answer with the results of its calls, or a single message of another kind. `broken` collects
 * the exchanges, so that the next request of a session need not search for them again.
 */
export function withoutBroken(
	{ sent, history }: Exchanged,
	breaks: (messages: Messages) => boolean,
	broken: Broken,
): Exchanged {
	const keep = (messages: Messages) => messages.filter((message) => !broken.has(keyOf(message)));
	let left = keep(history);
	while (left.length > 0 && breaks(left)) {
		for (const key of exchangeKeys(left, lastBroken(left, breaks))) broken.add(key);
		left = keep(left);
	}
	return { sent: keep(sent), history: left };
}

/** The index of the last message from which on the history breaks the rule: the exchange that begins there is at fault. */
function lastBroken(history: Messages, breaks: (messages: Messages) => boolean): number {
	const calls = callIdsOf(history);
	const starts = [...history.keys()].filter((index) => !answers(history[index], calls));
	let [low, high] = [0, starts.length];
	while (high - low > 1) {
		const middle = Math.floor((low + high) / 2);
		if (breaks(since(history, starts[middle] ?? 0))) low = middle;
		else high = middle;
	}
	return starts[low] ?? 0;
}

/** The messages from an index on, without results whose call stands before it. */
function since(history: Messages, start: number): Messages {
	const earlier = callIdsOf(history.slice(0, start));
	return history.slice(start).filter((message) => !answers(message, earlier));
}

function answers(message: HostMessage | undefined, calls: ReadonlySet<string>): boolean {
	return message?.role === "toolResult" && calls.has(baseId(message.toolCallId));
}

/** The keys of an exchange's messages, which requests may hold in part. */
function exchangeKeys(history: Messages, first: number): readonly string[] {
	const keys = history.slice(first, first + 1).map(keyOf);
	const calls = callIdsOf(history.filter((message) => keys.includes(keyOf(message))));
	return [...keys, ...[...calls].map(resultKey)];
}

function keyOf(message: HostMessage): string {
	return message.role === "toolResult"
		? resultKey(baseId(message.toolCallId))
		: `${message.role} ${message.timestamp}`;
}

const resultKey = (callId: string): string => `toolResult ${callId}`;

function callIdsOf(messages: Messages): ReadonlySet<string> {
	const answers = messages.flatMap((message) => (message.role === "assistant" ? message.content : []));
	return new Set(answers.flatMap((block) => (block.type === "toolCall" ? [baseId(block.id)] : [])));
}
