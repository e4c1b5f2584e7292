/**
 * Where the episodes of a replayed session come from. A recording can be replayed as it is, or as it would read
 * without its marks, or with marks that the replay sets.
 */
import { DELIMITER, effectOf, type ToolTable } from "#core";
import { defaultToolTable, type HostMessage } from "#pi";

/**
 * `recorded`: the session's own `delimiter` calls, and inference where there are none. `inferred`: its delimiter calls
 * are taken out. `turns`: one declared episode for each user turn that makes calls. `none`: taken out, and nothing
 * inferred but boundaries, at user turns and by size; everything unmarked counts as exploration (paper 5).
 */
export const annotations = ["recorded", "inferred", "turns", "none"] as const;

export type Annotation = (typeof annotations)[number];

type Reply = HostMessage & { readonly role: "assistant" };
type Block = Reply["content"][number];

/** The messages of a session with the marks that a replay goes by. */
export function annotateMessages(messages: readonly HostMessage[], annotation: Annotation) {
	if (annotation === "recorded") return messages;
	const bare = removeMarks(messages);
	return annotation === "turns" ? markTurns(bare) : bare;
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

function markTurns(messages: readonly HostMessage[]): readonly HostMessage[] {
	const marked: HostMessage[] = [];
	let open: { readonly turn: number; readonly isAct: boolean } | undefined;
	let said = "";
	let [turn, isMarked] = [0, false];
	messages.forEach((message, index) => {
		if (message.role === "user") [turn, isMarked] = [turn + 1, false];
		if (message.role !== "assistant" || isMarked || !message.content.some(isCall)) {
			marked.push(message);
		} else {
			const isAct = turnWrites(messages, index);
			const end = open ? [endCall(open, said)] : [];
			marked.push(...withMarks(message, [...end, startCall(turn, isAct)]));
			[open, isMarked] = [{ turn, isAct }, true];
		}
		if (message.role === "assistant") said = textOf(message) || said;
	});
	return marked;
}

function isCall(block: Block): boolean {
	return block.type === "toolCall";
}

/** Returns true if a call from here to the next user turn changes anything. */
function turnWrites(messages: readonly HostMessage[], from: number): boolean {
	for (const message of messages.slice(from)) {
		if (message.role === "user") return false;
		if (message.role !== "assistant") continue;
		const writes = message.content.some(
			(block) =>
				block.type === "toolCall" && effectOf(defaultToolTable, block.name, block.arguments) === "writes",
		);
		if (writes) return true;
	}
	return false;
}

type Call = Block & { readonly type: "toolCall" };

function startCall(turn: number, isAct: boolean): Call {
	const kind = isAct ? { type: "act", dependencies: [] } : { type: "expl" };
	return delimiterCall(`mark-start-${turn}`, { action: "start", name: `turn-${turn}`, ...kind });
}

/** Descriptions in characters: what the agent said last, on one line. */
const MAX_DESCRIPTION_LENGTH = 200;

function endCall({ turn, isAct }: { readonly turn: number; readonly isAct: boolean }, said: string): Call {
	const description = said.replace(/\s+/g, " ").trim().slice(0, MAX_DESCRIPTION_LENGTH) || "looked around";
	return delimiterCall(`mark-end-${turn}`, { action: "end", ...(!isAct && { description }) });
}

function delimiterCall(id: string, args: Call["arguments"]): Call {
	return { type: "toolCall", id, name: DELIMITER, arguments: args };
}

/** The reply with the marks before its first call, and the results that answer them. */
function withMarks(reply: Reply, marks: readonly Call[]): readonly HostMessage[] {
	const first = reply.content.findIndex(isCall);
	const results = marks.map(
		({ id }): HostMessage => ({
			...{ role: "toolResult", toolCallId: id, toolName: DELIMITER, isError: false },
			...{ content: [{ type: "text", text: "ok" }], timestamp: reply.timestamp },
		}),
	);
	return [{ ...reply, content: reply.content.toSpliced(first, 0, ...marks) }, ...results];
}

function textOf({ content }: Reply): string {
	return content.map((block) => (block.type === "text" ? block.text : "")).join(" ");
}
