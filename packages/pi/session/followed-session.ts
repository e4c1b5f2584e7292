/** Core's session over the host's list of messages, followed from request to request: only what is new at its tail is read. */
import { createLoggedSession, type LoggedSession } from "#core";
import type { Pass } from "#core/log";
import type { ToolTable } from "#core/transcript";
import { createNamedList, type Reader } from "../codec/followed-list.ts";
import type { HostMessage } from "../codec/host-message.ts";

export interface FollowedSession extends Omit<LoggedSession, "append" | "replace"> {
	/**
	 * Reads on to the end of the list. Costs some ns for each message that was read before; a list that leaves the one
	 * before (another branch, a compaction) is folded from its beginning, and read from where it leaves. Returns the index
	 * of the first message that differs from the one that was read there before; undefined if all are the same.
	 */
	follow(messages: readonly HostMessage[]): number | undefined;
	/** Reads the next message. */
	add(message: HostMessage): void;
	/** Takes over the log of another session over these messages: passes that it has gained are committed. */
	takeLog(log: readonly Pass[]): void;
	/** Forgets all messages, and replaces the log. */
	restart(log: readonly Pass[]): void;
}

export function followSession(read: Reader, tools: ToolTable): FollowedSession {
	const list = createNamedList(read);
	const { append, replace, ...session } = createLoggedSession(tools);
	return {
		...session,
		follow(messages) {
			const same = list.countSame(messages);
			const isCut = same < list.length();
			const kept = isCut ? session.graph().messages.slice(0, same) : [];
			if (isCut) list.cut(same);
			const added = messages.slice(same).map(list.append);
			if (isCut) replace([...kept, ...added]);
			else append(added);
			return isCut ? same : undefined;
		},
		add: (message) => append([list.append(message)]),
		takeLog(log) {
			const known = session.log();
			const continues = known.length > 0 && known.every((pass, index) => pass === log[index]);
			if (continues) for (const pass of log.slice(known.length)) session.commit(pass);
			else if (log.length + known.length > 0) session.restore(log);
		},
		restart(log) {
			list.cut(0);
			replace([]);
			session.restore(log);
		},
	};
}
