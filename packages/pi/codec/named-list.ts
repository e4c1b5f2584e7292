/** A list of pi's messages that were read, by the names of their messages: pi clones its list for each request. */
import type { HostMessage } from "./host-message.ts";
import { createIdentities } from "./identities.ts";
import { messageKey } from "./messages.ts";

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
