/**
 * The host's list of messages, followed from request to request: only what is new at its tail is read. pi clones
 * its list, so object identity tells nothing.
 */

import type { TranscriptMessage } from "#core/transcript";
import type { HostMessage } from "./host-message.ts";
import { fingerprint, messageKey, readMessage } from "./messages.ts";
import type { CountTokens } from "./tokens.ts";

export interface NamedList<Read> {
	/** Reads the next message under a name that no other message of the list has. */
	append(message: HostMessage): Read;
	/** The number of messages, from the first one on, that this list starts with too. */
	countSame(messages: readonly HostMessage[]): number;
	/** Forgets the messages from this index on. */
	cut(length: number): void;
	length(): number;
}

/**
 * `read` converts a message under its index and name. Messages are compared by role and time, as most of `messageKey`,
 * in columns, since this is done for all of a history before each request.
 */
export function createNamedList<Read>(
	read: (message: HostMessage, index: number, name: string) => Read,
): NamedList<Read> {
	let keys: string[] = [];
	const roles: string[] = [];
	const times: number[] = [];
	let uses = new Map<string, number>();

	/** The time of a custom message changes between sending and reloading it: what it says is its identity. */
	function isSame(message: HostMessage | undefined, index: number): boolean {
		if (!message || message.role !== roles[index]) return false;
		return message.role === "custom"
			? messageKey(message) === keys[index]
			: message.timestamp === times[index];
	}

	function nameOf(key: string): string {
		const use = (uses.get(key) ?? 0) + 1;
		uses.set(key, use);
		return use === 1 ? key : `${key}~${use}`;
	}

	return {
		append(message) {
			const key = messageKey(message);
			const added = read(message, keys.length, nameOf(key));
			keys.push(key);
			roles.push(message.role);
			times.push(message.timestamp);
			return added;
		},
		countSame(messages) {
			for (let index = 0; index < roles.length; index += 1) {
				if (!isSame(messages[index], index)) return index;
			}
			return roles.length;
		},
		cut(length) {
			roles.length = length;
			times.length = length;
			keys = keys.slice(0, length);
			uses = new Map();
			for (const key of keys) nameOf(key);
		},
		length: () => keys.length,
	};
}

/** Reads a message; `key` names it in its list. */
export type Reader = (message: HostMessage, index: number, key: string) => TranscriptMessage;

/**
 * Branches share most of their messages: what was counted once is not counted again. A key alone does not name a
 * message here: when the first of two with one key is gone, the other takes its name. `cwd` is the folder of the
 * workspace, "" if unknown.
 */
export function createReader(count: CountTokens, cwd = ""): Reader {
	/** The tokens of each text of a message, in the order in which they are counted. */
	const known = new Map<string, readonly number[]>();
	return (message, index, key) => {
		const name = `${key} ${fingerprint(message)}`;
		const earlier = known.get(name)?.values();
		if (earlier) return readMessage(message, index, key, () => earlier.next().value ?? 0, cwd);
		const counts: number[] = [];
		const counting: CountTokens = (text) => {
			const tokens = count(text);
			counts.push(tokens);
			return tokens;
		};
		const read = readMessage(message, index, key, counting, cwd);
		known.set(name, counts);
		return read;
	};
}
