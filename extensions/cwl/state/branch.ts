/** The messages of the branch that the session is on. */
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import * as host from "@mariozechner/pi-coding-agent";
import { type HostMessage, soundMessage } from "#pi";

export interface Branch {
	/** The messages that pi would send, its own compactions applied. */
	readonly context: readonly HostMessage[];
	/** Everything, where a compaction hides some of it. */
	readonly whole: readonly HostMessage[] | undefined;
	/** The number of messages of the context with fields of a wrong type. */
	readonly damaged: number;
}

export function readBranch({ sessionManager }: ExtensionContext): Branch {
	const entries = sessionManager.getBranch();
	const { messages } = host.buildSessionContext(entries, sessionManager.getLeafId());
	const context = messages.map(soundMessage);
	const damaged = context.filter((message, index) => message !== messages[index]).length;
	const left = entries.filter(({ type }) => type !== "compaction");
	if (left.length === entries.length) return { context, whole: undefined, damaged };
	// pi follows parents: linked anew, the branch is as if it had never been compacted.
	const linked = left.map((entry, i) => ({ ...entry, parentId: left[i - 1]?.id ?? null }));
	return { context, whole: host.buildSessionContext(linked).messages.map(soundMessage), damaged };
}
