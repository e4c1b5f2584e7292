/**
 * Reads the host's list of messages from request to request: only what is new at its tail is read. pi clones its list,
 * so object identity tells nothing.
 */

import type { TranscriptMessage } from "#core/transcript";
import type { HostMessage } from "./host-message.ts";
import { createNames, messageKey, type Reader } from "./messages.ts";

/** A message that was read, and its identity, since lists are compared before each request. */
interface ReadMessage {
	readonly key: string;
	readonly role: string;
	readonly timestamp: number;
	readonly message: TranscriptMessage;
}

export function createListReader(read: Reader) {
	const known: ReadMessage[] = [];
	let nameOf = createNames();

	/** Forgets the messages from this index on. */
	function cut(length: number) {
		known.length = length;
		nameOf = createNames();
		for (const { key } of known) nameOf(key);
	}

	/**
	 * The list as core's messages, those that were read before as the same objects, which costs some ns for each of them. A list
	 * that leaves the one before (another branch, a compaction) is read from where it leaves: `differsAt` is the index of the
	 * first message that differs from the one that was read there before; undefined if all are the same.
	 */
	return (messages: readonly HostMessage[]) => {
		const differing = known.findIndex((each, index) => !isSame(messages[index], each));
		if (differing >= 0) cut(differing);
		for (const message of messages.slice(known.length)) {
			const key = messageKey(message);
			const { role, timestamp } = message;
			const index = known.length;
			try {
				known.push({ key, role, timestamp, message: read(message, index, nameOf(key)) });
			} catch (error) {
				// The next request reads this message again, under the same name.
				cut(index);
				throw error;
			}
		}
		return {
			messages: known.map(({ message }) => message),
			differsAt: differing < 0 ? undefined : differing,
		};
	};
}

/** The time of a custom message changes between sending and reloading it: its content is its identity. */
function isSame(message: HostMessage | undefined, { key, role, timestamp }: ReadMessage): boolean {
	if (message?.role !== role) return false;
	return message.role === "custom" ? messageKey(message) === key : message.timestamp === timestamp;
}
