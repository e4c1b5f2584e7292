/** Where the episodes of a replayed session come from: its own marks, none, or marks that the replay sets. */
import { DELIMITER } from "#core/annotation";
import { effectOf } from "#core/transcript";
import { defaultToolTable } from "#pi";
import { digestArguments, type HostMessage, toolCallsOf } from "#pi/codec";

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

type Call = Extract<Block, { readonly type: "toolCall" }>;

/** Descriptions in characters: what the agent said last, on one line. */
const MAX_DESCRIPTION_LENGTH = 200;

/**
 * Marks one episode for each run of replies of a user turn that only read, or that write. An act declares the expls since
 * the act before it, and every earlier one that named a file of the act. An episode ends where the next one starts; the
 * last one stays open. Every mark shares a reply with work, so none costs a request.
 */
function markRuns(messages: readonly HostMessage[]): readonly HostMessage[] {
	const marks = new Map<number, readonly Call[]>();
	const expls: { readonly name: string; readonly files: readonly string[] }[] = [];
	let sinceAct = 0;
	const runs = findRuns(messages);
	for (const [index, { reply, writes, said, files }] of runs.entries()) {
		const last = runs[index - 1];
		const description = said.replace(/\s+/g, " ").trim().slice(0, MAX_DESCRIPTION_LENGTH) || "looked around";
		const end = { action: "end", ...(!last?.writes && { description }) };
		const name = `run-${index + 1}`;
		const needed = expls.filter(
			(expl, i) => i >= sinceAct || files.some((file) => expl.files.includes(file)),
		);
		const act = { type: "act", dependencies: needed.map((expl) => expl.name) };
		marks.set(reply, [
			...(last ? [markCall(`mark-end-${index}`, end)] : []),
			markCall(`mark-start-${index + 1}`, { action: "start", name, ...(writes ? act : { type: "expl" }) }),
		]);
		if (writes) sinceAct = expls.length;
		else expls.push({ name, files });
	}
	return messages.flatMap((message, index) => {
		const own = marks.get(index);
		return own && message.role === "assistant" ? withMarks(message, own) : [message];
	});
}

/** The runs of replies that make calls. `reply`: index of the first. `said`: the agent's last words before it. */
function findRuns(messages: readonly HostMessage[]) {
	const runs: { reply: number; turn: number; writes: boolean; said: string; files: string[] }[] = [];
	let turn = 0;
	let said = "";
	for (const [reply, message] of messages.entries()) {
		if (message.role === "user") turn += 1;
		if (message.role !== "assistant") continue;
		const calls = toolCallsOf(message);
		if (calls.length > 0) {
			const writes = calls.some((call) => effectOf(defaultToolTable, call.name, call.arguments) === "writes");
			const last = runs.at(-1);
			const isSame = last?.turn === turn && last.writes === writes;
			const run = isSame ? last : { reply, turn, writes, said, files: [] };
			/** The last two components of each file that its calls name. */
			run.files.push(...calls.flatMap((call) => digestArguments(call.arguments).paths));
			if (!isSame) runs.push(run);
		}
		said = message.content.map((block) => (block.type === "text" ? block.text : "")).join(" ") || said;
	}
	return runs;
}

function markCall(id: string, args: Call["arguments"]): Call {
	return { type: "toolCall", id, name: DELIMITER, arguments: args };
}

/** The reply with the marks before its first call, and the results that answer them. */
function withMarks(reply: Reply, marks: readonly Call[]): readonly HostMessage[] {
	const first = reply.content.findIndex(({ type }) => type === "toolCall");
	const results = marks.map(
		({ id }): HostMessage => ({
			role: "toolResult",
			toolCallId: id,
			toolName: DELIMITER,
			isError: false,
			content: [{ type: "text", text: "ok" }],
			timestamp: reply.timestamp,
		}),
	);
	return [{ ...reply, content: reply.content.toSpliced(first, 0, ...marks) }, ...results];
}
