/** Identities of the messages of a list: pi clones its list, so object identity tells nothing. */
import type { HostMessage } from "./host-message.ts";
import { contentText } from "./messages.ts";

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
	/** By custom messages, whose times change between sending and reloading them. */
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
