/** Sessions of other agents in pi's terms: the parts of messages, and a draft that collects messages with their damage. */
import { parse } from "node:path";
import { type HostMessage, OUR_MESSAGES } from "#pi/codec";
import { type Fields, fieldsOf, isFields, listOf, textOf } from "./json.ts";
import type { Opening } from "./opening.ts";
import type { Damage, RecordedSession, RecordedSummary } from "./recorded-session.ts";

type Of<Role extends HostMessage["role"]> = HostMessage & { readonly role: Role };
export type Block = Of<"assistant">["content"][number];
export type Part = Exclude<Of<"user">["content"], string>[number];

export type Draft = ReturnType<typeof openDraft>;

/** One file format. A new one is listed in `registry.ts`. */
export interface SessionReader {
	readonly format: string;
	/** Returns true if an input that begins like this is in this format. Never throws. */
	recognise(opening: Opening): boolean;
	/** The names of the lists that hold the entries of a document, the preferred one first. Other formats are read by line. */
	readonly lists?: readonly string[];
	/** Reads the entries of a session into a draft; rejects with a `CwlError` when nothing of it can be used. */
	read(draft: Draft, entries: AsyncIterable<Fields>, opening: Opening): Promise<void>;
}

/**
 * A session in the making. It knows the entry that is being read: notes name its place, and what is added has its time. `mark`
 * stands between the file and a place in it: a colon for lines, `#` for items of a list.
 */
export function openDraft(path: string, mark: ":" | "#") {
	const messages: HostMessage[] = [];
	const summaries: RecordedSummary[] = [];
	const { damage, note: noteAt } = openDamage(path, mark);
	const replies = new Map<string | undefined, number>();
	const tools = new Map<string, string>();
	/** Ids of the calls of the last reply that have no result yet. */
	const open = new Set<string>();
	let workspace: { readonly cwd?: string } = {};
	let [place, timestamp] = [0, 0];
	const note = (reason: string) => noteAt(place, reason);
	return {
		path,
		messages,
		/** The folder of the session's workspace. */
		workIn(cwd: string) {
			workspace = { cwd };
		},
		/** Turns to an entry: its place, and its time in ms since the epoch. */
		turnTo(at: number, time: number) {
			[place, timestamp] = [at, time];
		},
		place: () => place,
		/** Returns a function that adds later what belongs to this entry. */
		later(add: () => void): () => void {
			const here = [place, timestamp] as const;
			return () => {
				[place, timestamp] = here;
				add();
			};
		},
		note,
		noteAt,
		/** Content as the chat APIs write it. Parts of an unknown kind are left out and noted. */
		parts: (content: unknown) =>
			readParts(content, (kind) => note(`content part of kind ${JSON.stringify(kind)}: left out`)),
		user(content: readonly Part[]) {
			messages.push({ role: "user", content: [...content], timestamp });
		},
		/** A note that an agent put into its own context: reminders, skills, the state of its environment. */
		aside(content: readonly Part[]) {
			const customType = `${OUR_MESSAGES}recorded`;
			messages.push({ role: "custom", customType, content: [...content], display: false, timestamp });
		},
		/** A reply of the model. Blocks of one id came with one request: they go to the place of the first of them. */
		reply(blocks: readonly Block[], id?: string) {
			if (!replies.has(id)) open.clear();
			for (const block of blocks) {
				if (block.type !== "toolCall") continue;
				tools.set(block.id, block.name);
				open.add(block.id);
			}
			const index = replies.get(id) ?? messages.length;
			if (id !== undefined) replies.set(id, index);
			const begun = messages[index];
			const { content, timestamp: time } = begun?.role === "assistant" ? begun : { content: [], timestamp };
			messages[index] = modelReply([...content, ...blocks], time);
		},
		hasReply: (id: string) => replies.has(id),
		/** Returns true once the model has replied. */
		hasBegun: () => messages.some(({ role }) => role === "assistant"),
		/** The oldest call of the last reply without a result. */
		openCall: (): string | undefined => [...open][0],
		/** No later message holds a result of the last reply. */
		endCalls: () => open.clear(),
		/** The result of a call. Its tool is that of the call, or `named` if the call is not in the session. */
		result(toolCallId: string, content: readonly Part[], isError = false, named = "") {
			open.delete(toolCallId);
			const toolName = tools.get(toolCallId) ?? (named || "unknown");
			messages.push({
				...{ role: "toolResult", toolCallId, toolName, content: [...content], isError, timestamp },
			});
		},
		/** The agent put a summary in place of all messages so far. */
		summary: (text: string) => void summaries.push({ text, timestamp, position: messages.length }),
		finish: (format: string): RecordedSession => {
			return { path, name: parse(path).name, format, ...workspace, messages, summaries, damage };
		},
	};
}

/** Places of one file that are listed one by one: past them the file as a whole is damaged, and they could fill the memory. */
const MAX_PLACES = 1000;

export function openDamage(path: string, mark: ":" | "#") {
	const damage: Damage[] = [];
	let noted = 0;
	const note = (place: number, reason: string) => {
		noted += 1;
		if (noted <= MAX_PLACES) damage.push({ place: `${path}${mark}${place}`, reason });
		else damage[MAX_PLACES] = { place: path, reason: `${noted - MAX_PLACES} more damaged places` };
	};
	return { damage, note };
}

const usage: Of<"assistant">["usage"] = {
	...{ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
	cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

/** One reply of a model, with nothing charged: the cost of a recorded one is counted again. */
export function modelReply(content: readonly Block[], timestamp: number): Of<"assistant"> {
	const stopReason = content.some(({ type }) => type === "toolCall") ? "toolUse" : "stop";
	const model = { api: "recorded", provider: "recorded", model: "recorded" } as const;
	return { role: "assistant", content: [...content], ...model, usage, stopReason, timestamp };
}

/** An empty list for text that says nothing: no block is sent for it. */
export function says(text: string): Block[] {
	return text.trim() === "" ? [] : [{ type: "text", text }];
}

export function thinks(thinking: string): Block[] {
	return thinking.trim() === "" ? [] : [{ type: "thinking", thinking }];
}

/** `args` are recorded as an object or as its JSON. */
export function toolCall(id: string, name: string, args: unknown): Block {
	return { type: "toolCall", id, name, arguments: readArguments(args) };
}

export function callIds(blocks: readonly Block[]): readonly string[] {
	return blocks.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
}

/** The arguments of a call, recorded as an object or as its JSON; `input` holds what is neither. */
export function readArguments(value: unknown): Fields {
	if (isFields(value)) return value;
	if (typeof value !== "string") return {};
	try {
		const parsed: unknown = JSON.parse(value);
		return isFields(parsed) ? parsed : { input: value };
	} catch {
		return { input: value };
	}
}

const IMAGES = new Set(["image", "image_url", "input_image"]);

/**
 * Content as the chat APIs write it: a text, or a list of parts with a `text` or a picture, whatever their type is
 * called. Pictures count a fixed sum of tokens: their bytes are dropped, so that they do not fill the memory. Parts of
 * other kinds are handed to `refuse`.
 */
export function readParts(content: unknown, refuse: (kind: string) => void = () => {}): Part[] {
	if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
	const parts: Part[] = [];
	for (const part of listOf(content)) {
		const { type, text, inlineData } =
			typeof part === "string" ? { type: "text", text: part } : fieldsOf(part);
		if (typeof text === "string") parts.push({ type: "text", text });
		else if (IMAGES.has(textOf(type)) || isFields(inlineData))
			parts.push({ type: "image", data: "", mimeType: "image/png" });
		else refuse(textOf(type) || "without a type");
	}
	return parts;
}

export function joinText(parts: readonly Part[]): string {
	return parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}
