/** The exchanges of a recorded history that break a rule by themselves, so that a request is judged without them. */
import { baseId } from "#lab";
import type { HostMessage } from "#pi";

type Messages = readonly HostMessage[];

/** A request with the history that it was made from. */
export interface Exchanged {
	readonly sent: Messages;
	readonly history: Messages;
}

/**
 * Leaves out of both lists the exchanges that break the rule in the history, so that the history that is left keeps the
 * rule. An exchange is an answer with the results of its calls, or a single message of another kind.
 */
export function withoutBroken(
	{ sent, history }: Exchanged,
	breaks: (messages: Messages) => boolean,
): Exchanged {
	let left: Exchanged = { sent, history };
	while (left.history.length > 0 && breaks(left.history)) {
		const isBroken = exchangeOf(left.history, lastBroken(left.history, breaks));
		const keep = (messages: Messages) => messages.filter((message) => !isBroken(message));
		left = { sent: keep(left.sent), history: keep(left.history) };
	}
	return left;
}

/** The last message from which on the history breaks the rule: the exchange that begins there is at fault. */
function lastBroken(history: Messages, breaks: (messages: Messages) => boolean): HostMessage | undefined {
	const calls = callIdsOf(history);
	const starts = [...history.keys()].filter((index) => !answers(history[index], calls));
	let [low, high] = [0, starts.length];
	while (high - low > 1) {
		const middle = Math.floor((low + high) / 2);
		if (breaks(since(history, starts[middle] ?? 0))) low = middle;
		else high = middle;
	}
	return history[starts[low] ?? 0];
}

/** The messages from an index on, without results whose call stands before it. */
function since(history: Messages, start: number): Messages {
	const earlier = callIdsOf(history.slice(0, start));
	return history.slice(start).filter((message) => !answers(message, earlier));
}

function answers(message: HostMessage | undefined, calls: ReadonlySet<string>): boolean {
	return message?.role === "toolResult" && calls.has(baseId(message.toolCallId));
}

/** Recognizes the messages of an exchange, also where a request holds parts of them. */
function exchangeOf(history: Messages, first: HostMessage | undefined): (message: HostMessage) => boolean {
	if (!first) return () => true;
	const key = keyOf(first);
	const calls = callIdsOf(history.filter((message) => keyOf(message) === key));
	return (message) => keyOf(message) === key || answers(message, calls);
}

function keyOf(message: HostMessage): string {
	const id = message.role === "toolResult" ? baseId(message.toolCallId) : message.timestamp;
	return `${message.role} ${id}`;
}

function callIdsOf(messages: Messages): ReadonlySet<string> {
	const answers = messages.flatMap((message) => (message.role === "assistant" ? message.content : []));
	return new Set(answers.flatMap((block) => (block.type === "toolCall" ? [baseId(block.id)] : [])));
}
