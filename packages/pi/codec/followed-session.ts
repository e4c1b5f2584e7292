/**
 * Core's session over the host's list of messages, followed from request to request: only what is new at its tail is read. pi
 * clones its list, so object identity tells nothing.
 */

import type { Pass } from "#core/log";
import { createLoggedSession } from "#core/projection";
import { defaultToolTable } from "../tool-profiles.ts";
import type { HostMessage } from "./host-message.ts";
import { createNames, messageKey, type Reader } from "./messages.ts";

export type FollowedSession = ReturnType<typeof followSession>;

export function followSession(read: Reader) {
	const { append, replace, ...session } = createLoggedSession(defaultToolTable);
	/** Identity of each message, since a history is compared before each request. */
	const known: { readonly key: string; readonly role: string; readonly timestamp: number }[] = [];
	let nameOf = createNames();

	/** The time of a custom message changes between sending and reloading it: its content is its identity. */
	function isSame(
		message: HostMessage | undefined,
		{ key, role, timestamp }: (typeof known)[number],
	): boolean {
		if (message?.role !== role) return false;
		return message.role === "custom" ? messageKey(message) === key : message.timestamp === timestamp;
	}

	/** Reads the next message under a name that no other message of the list has. */
	function readNext(message: HostMessage) {
		const key = messageKey(message);
		const added = read(message, known.length, nameOf(key));
		known.push({ key, role: message.role, timestamp: message.timestamp });
		return added;
	}

	/** Forgets the messages from this index on. */
	function cut(length: number) {
		known.length = length;
		nameOf = createNames();
		for (const { key } of known) nameOf(key);
	}

	return {
		...session,
		/**
		 * Reads on to the end of the list. Costs some ns for each message that was read before; a list that leaves the one
		 * before (another branch, a compaction) is folded from its beginning, and read from where it leaves. Returns the index
		 * of the first message that differs from the one that was read there before; undefined if all are the same.
		 */
		follow(messages: readonly HostMessage[]): number | undefined {
			const differing = known.findIndex((each, index) => !isSame(messages[index], each));
			const same = differing < 0 ? known.length : differing;
			try {
				if (differing >= 0) cut(same);
				const added = messages.slice(same).map(readNext);
				if (differing < 0) append(added);
				else replace([...session.graph().messages.slice(0, same), ...added]);
			} catch (error) {
				// After a message that cannot be read, the next request reads all of them again.
				cut(0);
				replace([]);
				throw error;
			}
			return differing < 0 ? undefined : same;
		},
		/** Reads the next message. */
		add: (message: HostMessage) => append([readNext(message)]),
		/** Takes over the log of another session over these messages: passes that it has gained are committed. */
		takeLog(log: readonly Pass[]) {
			const own = session.log();
			const continues = own.length > 0 && own.every((pass, index) => pass === log[index]);
			if (continues) for (const pass of log.slice(own.length)) session.commit(pass);
			else if (log.length + own.length > 0) session.restore(log);
		},
		/** Forgets all messages, and replaces the log. */
		restart(log: readonly Pass[]) {
			cut(0);
			replace([]);
			session.restore(log);
		},
	};
}
