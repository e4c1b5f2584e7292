/** Sessions of other agents in pi's terms: the messages, and a draft that collects them with their damage. */
import { parse } from "node:path";
import { type HostMessage, OUR_MESSAGES } from "#pi";
import type { Damage, RecordedSession, RecordedSummary } from "./session-reader.ts";

type Of<Role extends HostMessage["role"]> = HostMessage & { readonly role: Role };
export type Block = Of<"assistant">["content"][number];
export type Part = Exclude<Of<"user">["content"], string>[number];

/** A session in the making. `place` is a line, or an item of a document. */
export interface Draft {
	readonly messages: HostMessage[];
	readonly summaries: RecordedSummary[];
	readonly damage: Damage[];
	readonly note: (place: number, reason: string) => void;
}

/** `mark` stands between the file and the place: a colon for lines, `#` for the items of a document. */
export function openDraft(path: string, mark: ":" | "#"): Draft {
	return { messages: [], summaries: [], ...openDamage(path, mark) };
}

/** Places of one file that are told one by one: past them it is the file that is damaged, and they could fill the memory. */
const MAX_PLACES = 1000;

export function openDamage(path: string, mark: ":" | "#"): Pick<Draft, "damage" | "note"> {
	const damage: Damage[] = [];
	let noted = 0;
	const note = (place: number, reason: string) => {
		noted += 1;
		if (noted <= MAX_PLACES) damage.push({ place: `${path}${mark}${place}`, reason });
		else damage[MAX_PLACES] = { place: path, reason: `${noted - MAX_PLACES} more damaged places` };
	};
	return { damage, note };
}

export function finishDraft(draft: Draft, path: string, format: string): RecordedSession {
	const { messages, summaries, damage } = draft;
	return { path, name: parse(path).name, format, messages, summaries, damage };
}

/** Note that the agent put a summary in place of all messages so far. */
export function addSummary({ summaries, messages }: Draft, text: string, timestamp: number) {
	summaries.push({ text, timestamp, position: messages.length });
}

/** A message that the user wrote. */
export function userMessage(content: readonly Part[], timestamp: number): HostMessage {
	return { role: "user", content: [...content], timestamp };
}

/** A note that an agent put into its own context: reminders, skills, the state of its environment. */
export function hostNote(content: readonly Part[], timestamp: number): HostMessage {
	const customType = `${OUR_MESSAGES}recorded`;
	return {
		role: "custom",
		customType,
		content: [...content],
		display: false,
		timestamp,
	};
}

const usage: Of<"assistant">["usage"] = {
	input: 0,
	output: 0,
	cacheRead: 0,
	cacheWrite: 0,
	totalTokens: 0,
	cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

/** One reply of the model. What it cost is counted anew: recorded usage is left out. */
export function modelReply(content: readonly Block[], timestamp: number): HostMessage {
	const calls = content.some(({ type }) => type === "toolCall");
	return {
		role: "assistant",
		content: [...content],
		api: "recorded",
		provider: "recorded",
		model: "recorded",
		usage,
		stopReason: calls ? "toolUse" : "stop",
		timestamp,
	};
}

/**
 * Add blocks to the reply of this id, which stands where its first block did: they came with one request, whatever
 * was recorded between them. `places` is kept by the caller for the session.
 */
export function addToReply(
	{ messages }: Draft,
	places: Map<string, number>,
	id: string,
	blocks: readonly Block[],
	timestamp: number,
) {
	const place = places.get(id) ?? messages.length;
	const begun = messages[place];
	places.set(id, place);
	messages[place] =
		begun?.role === "assistant"
			? modelReply([...begun.content, ...blocks], begun.timestamp)
			: modelReply(blocks, timestamp);
}

export function toolCall(id: string, name: string, args: Readonly<Record<string, unknown>>): Block {
	return { type: "toolCall", id, name, arguments: args };
}

/** An empty list for text that says nothing: no block is sent for it. */
export function says(text: string): Block[] {
	return text.trim() === "" ? [] : [{ type: "text", text }];
}

export function thinks(thinking: string): Block[] {
	return thinking.trim() === "" ? [] : [{ type: "thinking", thinking }];
}

export interface Outcome {
	readonly callId: string;
	readonly tool: string;
	readonly content: readonly Part[];
	readonly isError: boolean;
	readonly timestamp: number;
}

export function toolResult({ callId, tool, content, isError, timestamp }: Outcome): HostMessage {
	return {
		role: "toolResult",
		toolCallId: callId,
		toolName: tool,
		content: [...content],
		isError,
		timestamp,
	};
}

export function textPart(text: string): Part {
	return { type: "text", text };
}
