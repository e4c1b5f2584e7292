/**
 * Where the episodes of a replayed session come from. A recording can be replayed as it is, or as it would read
 * without its marks, or with marks that the replay sets.
 */
import { DELIMITER } from "#core/annotation";
import type { ToolTable } from "#core/transcript";
import { defaultToolTable, type HostMessage } from "#pi";
import { planRuns, planTurns } from "./plan-marks.ts";
import { writeMarks } from "./write-marks.ts";

/**
 * `recorded`: the session's own `delimiter` calls, and inference where there are none. `inferred`: its delimiter calls
 * are taken out. `turns`: one declared episode for each user turn that makes calls. `runs`: one for each run of reading or
 * of changing calls in a turn, as a careful model would mark them (`mark-runs.ts`). `none`: taken out, and nothing inferred
 * but boundaries, at user turns and by size; everything unmarked counts as exploration (paper 5).
 */
export const annotations = ["recorded", "inferred", "turns", "runs", "none"] as const;

export type Annotation = (typeof annotations)[number];

type Reply = HostMessage & { readonly role: "assistant" };
type Block = Reply["content"][number];

/** The messages of a session with the marks that a replay goes by. */
export function annotateMessages(messages: readonly HostMessage[], annotation: Annotation) {
	if (annotation === "recorded") return messages;
	const bare = removeMarks(messages);
	if (annotation === "turns") return writeMarks(bare, planTurns(bare));
	return annotation === "runs" ? writeMarks(bare, planRuns(bare)) : bare;
}

/** The tool table that tells exploration from action where episodes are inferred. */
export function kindsFor(annotation: Annotation): ToolTable {
	return annotation === "none" ? exploration : defaultToolTable;
}

const exploration: ToolTable = Object.fromEntries(
	Object.entries(defaultToolTable).map(([tool, traits]) => [tool, { ...traits, effect: "reads" }]),
);

/** Replies, and those that hold no call but annotation: each of these cost a request of its own. */
export interface AnnotationCount {
	readonly requests: number;
	readonly only: number;
}

export function countAnnotation(messages: readonly HostMessage[]): AnnotationCount {
	const replies = messages.filter((message) => message.role === "assistant");
	const only = replies.filter(({ content }) => {
		const calls = content.filter(({ type }) => type === "toolCall");
		return calls.length > 0 && calls.every(isMark);
	});
	return { requests: replies.length, only: only.length };
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
		for (const block of message.content) if (block.type === "toolCall") removed.delete(block.id);
		const marks = message.content.filter(isMark);
		if (marks.length === 0) return [message];
		for (const mark of marks) if (mark.type === "toolCall") removed.add(mark.id);
		const content = message.content.filter((block) => !isMark(block));
		return content.some(({ type }) => type !== "thinking") ? [{ ...message, content }] : [];
	});
}
