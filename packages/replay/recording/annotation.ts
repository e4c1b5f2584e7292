/** Where the episodes of a replayed session come from: its own marks, none, or marks that the replay sets. */
import { DELIMITER } from "#core/annotation";
import type { HostMessage } from "#pi";
import { markRuns } from "./marked-runs.ts";

/**
 * `recorded`: the session's own `delimiter` calls, and inference where there are none. `inferred`: its delimiter calls
 * are taken out. `runs`: one episode for each run of reading or of changing calls in a turn, as a careful model would mark
 * them.
 */
export const annotations = ["recorded", "inferred", "runs"] as const;

export type Annotation = (typeof annotations)[number];

type Reply = HostMessage & { readonly role: "assistant" };
type Block = Reply["content"][number];

/** The messages of a session with the marks that a replay goes by. */
export function annotateMessages(messages: readonly HostMessage[], annotation: Annotation) {
	if (annotation === "recorded") return messages;
	const bare = removeMarks(messages);
	return annotation === "runs" ? markRuns(bare) : bare;
}

export function isMark(block: Block): boolean {
	return block.type === "toolCall" && block.name === DELIMITER;
}

/** A reply that only annotated, without a word, leaves with its marks. */
function removeMarks(messages: readonly HostMessage[]): readonly HostMessage[] {
	const removed = new Set<string>();
	return messages.flatMap((message): readonly HostMessage[] => {
		if (message.role === "toolResult") return removed.has(message.toolCallId) ? [] : [message];
		if (message.role !== "assistant") return [message];
		// Ids may repeat: from here on results answer the calls of this message.
		for (const block of message.content) {
			if (block.type !== "toolCall") continue;
			if (isMark(block)) removed.add(block.id);
			else removed.delete(block.id);
		}
		const content = message.content.filter((block) => !isMark(block));
		if (content.length === message.content.length) return [message];
		return content.some(({ type }) => type !== "thinking") ? [{ ...message, content }] : [];
	});
}
