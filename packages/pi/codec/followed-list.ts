/**
 * The host's list of messages, followed from request to request: only what is new at its tail is read. pi clones
 * its list, so object identity tells nothing.
 */

import type { TranscriptMessage } from "#core/transcript";
import type { HostMessage } from "./host-message.ts";
import { contentText } from "./host-message.ts";
import { fingerprint, messageKey, readMessage } from "./messages.ts";
import type { CountTokens } from "./tokens.ts";

/** The identities of the messages that were read, by their place in the list. */
export interface Identities {
	add(message: HostMessage): void;
	/**
	 * How many messages are the ones that were added, from the beginning on. Fresh copies are read from cold memory,
	 * some 100 ns for each: where `sent` is given, those at its places and both ends answer for all, as long as they are the same.
	 * A change in the place of a message that was not sent is then overlooked.
	 */
	countSame(messages: readonly HostMessage[], sent?: readonly Place[]): number;
	/** Forget all from this place on. */
	cut(length: number): void;
}

interface Place {
	/** Index in the list. */
	readonly message: number;
}

interface Said {
	readonly customType: string;
	readonly text: string;
}

/** Looks at role and time, as most of `messageKey`, without making it; in columns, since this is done for all of a history. */
export function createIdentities(): Identities {
	const roles: string[] = [];
	const times: number[] = [];
	/** Type and text of custom messages by index: their times change between sending and reloading them. */
	const said = new Map<number, Said>();

	function isSame(message: HostMessage | undefined, index: number): boolean {
		if (!message || message.role !== roles[index]) return false;
		if (message.role !== "custom") return message.timestamp === times[index];
		const known = said.get(index);
		return message.customType === known?.customType && contentText(message.content) === known.text;
	}

	function isSameAtAll(messages: readonly HostMessage[], places: readonly Place[]): boolean {
		const last = roles.length - 1;
		if (!isSame(messages[0], 0) || !isSame(messages[last], last)) return false;
		for (const { message } of places) if (!isSame(messages[message], message)) return false;
		return true;
	}

	return {
		add(message) {
			if (message.role === "custom") {
				said.set(roles.length, { customType: message.customType, text: contentText(message.content) });
			}
			roles.push(message.role);
			times.push(message.timestamp);
		},
		countSame(messages, sent) {
			// Where everything was sent, its places are only a second list to read.
			const isPartial = sent !== undefined && sent.length < roles.length;
			if (isPartial && isSameAtAll(messages, sent)) return roles.length;
			for (let index = 0; index < roles.length; index += 1) {
				if (!isSame(messages[index], index)) return index;
			}
			return roles.length;
		},
		cut(length) {
			roles.length = length;
			times.length = length;
			for (const index of [...said.keys()]) if (index >= length) said.delete(index);
		},
	};
}

export interface NamedList<Read> {
	/** Reads the next message under a name that no other message of the list has. */
	append(message: HostMessage): Read;
	/** The number of messages, from the first one on, that this list starts with too; see `Identities`. */
	countSame: ReturnType<typeof createIdentities>["countSame"];
	/** Forgets the messages from this index on. */
	cut(length: number): void;
	length(): number;
}

/** `read` converts a message under its index and name. */
export function createNamedList<Read>(
	read: (message: HostMessage, index: number, name: string) => Read,
): NamedList<Read> {
	const identities = createIdentities();
	let keys: string[] = [];
	let uses = new Map<string, number>();

	function nameOf(key: string): string {
		const use = (uses.get(key) ?? 0) + 1;
		uses.set(key, use);
		return use === 1 ? key : `${key}~${use}`;
	}

	return {
		append(message) {
			const key = messageKey(message);
			const added = read(message, keys.length, nameOf(key));
			identities.add(message);
			keys.push(key);
			return added;
		},
		countSame: (messages, sent) => identities.countSame(messages, sent),
		cut(length) {
			identities.cut(length);
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
