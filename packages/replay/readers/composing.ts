/** Sessions of other agents in pi's terms: the messages, and a draft that collects them with their damage. */
import { parse } from "node:path";
import { type HostMessage, OUR_MESSAGES } from "#pi";
import { readParts } from "./parts.ts";
import type { Damage, RecordedSession, RecordedSummary } from "./session-reader.ts";

type Of<Role extends HostMessage["role"]> = HostMessage & { readonly role: Role };
export type Block = Of<"assistant">["content"][number];
export type Part = Exclude<Of<"user">["content"], string>[number];

/** A session in the making. A `place` is a line, or an item of a document. */
export interface Draft {
	readonly messages: HostMessage[];
	readonly note: (place: number, reason: string) => void;
	/** Content as the chat APIs write it. Parts of an unknown kind are left out, and noted if a place is given. */
	readonly parts: (content: unknown, place?: number) => Part[];
	readonly user: (content: readonly Part[], time: number) => void;
	/** A note that an agent put into its own context: reminders, skills, the state of its environment. */
	readonly aside: (content: readonly Part[], time: number) => void;
	/** A reply of the model. Blocks of one id came with one request: they go to the place of the first of them. */
	readonly reply: (blocks: readonly Block[], time: number, id?: string) => void;
	readonly hasReply: (id: string) => boolean;
	/** Returns true once the model has replied. */
	readonly hasBegun: () => boolean;
	/** The result of a call. Its tool is that of the call, or `tool` if the call is not in the session. */
	readonly result: (
		callId: string,
		content: readonly Part[],
		time: number,
		isError?: boolean,
		tool?: string,
	) => void;
	/** The agent put a summary in place of all messages so far. */
	readonly summary: (text: string, time: number) => void;
	readonly finish: (format: string) => RecordedSession;
}

/** `mark` stands between the file and the place: a colon for lines, `#` for the items of a document. */
export function openDraft(path: string, mark: ":" | "#"): Draft {
	const messages: HostMessage[] = [];
	const summaries: RecordedSummary[] = [];
	const { damage, note } = openDamage(path, mark);
	const replies = new Map<string, number>();
	const tools = new Map<string, string>();
	return {
		messages,
		note,
		parts(content, place) {
			const refuse = (kind: string) =>
				note(place ?? 0, `content part of kind ${JSON.stringify(kind)}: left out`);
			return readParts(content, place === undefined ? () => {} : refuse);
		},
		user: (content, time) => void messages.push(userMessage(content, time)),
		aside: (content, time) => void messages.push(hostNote(content, time)),
		reply(blocks, time, id) {
			for (const block of blocks) if (block.type === "toolCall") tools.set(block.id, block.name);
			const place = (id === undefined ? undefined : replies.get(id)) ?? messages.length;
			if (id !== undefined) replies.set(id, place);
			const begun = messages[place];
			messages[place] =
				begun?.role === "assistant"
					? modelReply([...begun.content, ...blocks], begun.timestamp)
					: modelReply(blocks, time);
		},
		hasReply: (id) => replies.has(id),
		hasBegun: () => messages.some(({ role }) => role === "assistant"),
		result(callId, content, timestamp, isError = false, named = "") {
			const tool = tools.get(callId) ?? (named || "unknown");
			messages.push(toolResult({ callId, tool, content, isError, timestamp }));
		},
		summary: (text, timestamp) => void summaries.push({ text, timestamp, position: messages.length }),
		finish: (format) => ({ path, name: parse(path).name, format, messages, summaries, damage }),
	};
}

/** Places of one file that are told one by one: past them it is the file that is damaged, and they could fill the memory. */
const MAX_PLACES = 1000;

export interface DamageNotes {
	readonly damage: Damage[];
	readonly note: Draft["note"];
}

export function openDamage(path: string, mark: ":" | "#"): DamageNotes {
	const damage: Damage[] = [];
	let noted = 0;
	const note = (place: number, reason: string) => {
		noted += 1;
		if (noted <= MAX_PLACES) damage.push({ place: `${path}${mark}${place}`, reason });
		else damage[MAX_PLACES] = { place: path, reason: `${noted - MAX_PLACES} more damaged places` };
	};
	return { damage, note };
}

/** A message that the user wrote. */
export function userMessage(content: readonly Part[], timestamp: number): HostMessage {
	return { role: "user", content: [...content], timestamp };
}

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
function modelReply(content: readonly Block[], timestamp: number): HostMessage {
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
