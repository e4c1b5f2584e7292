/** What is read off the messages of a session again and again, from where it was read to the last time. */
import type { TranscriptMessage } from "../transcript/transcript.ts";

type Messages = readonly TranscriptMessage[];

interface Progress<Result> {
	readonly result: Result;
	next: number;
}

/**
 * Make a function that answers, for a list of messages, what `take` has put into what `start` made, message by message.
 * The answer is live, and kept for as long as the list: it must only grow, as that of a graph does. Work is
 * proportional to the messages that are new.
 */
export function createIncrementalFold<Result>(
	start: () => Result,
	take: (result: Result, message: TranscriptMessage, index: number) => void,
): (messages: Messages) => Result {
	const known = new WeakMap<Messages, Progress<Result>>();
	const read = (messages: Messages) => {
		const progress = known.get(messages) ?? { result: start(), next: 0 };
		known.set(messages, progress);
		for (const message of messages.slice(progress.next)) take(progress.result, message, progress.next++);
		return progress.result;
	};
	readings.push(read);
	return read;
}

const readings: ((messages: Messages) => unknown)[] = [];

/** Bring every reading to the end of a list, before what it was read from is let go. */
export function readAll(messages: Messages): void {
	for (const read of readings) read(messages);
}
