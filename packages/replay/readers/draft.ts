/** Sessions of other agents in pi's terms: the parts of messages, and a draft that collects messages with their damage. */
import { parse } from "node:path";
import { type HostMessage, OUR_MESSAGES } from "#pi/codec";
import { amountOf, type Fields, fieldsOf, isFields, listOf, recordsOf, textOf } from "./json.ts";
import type { Opening } from "./opening.ts";
import type { Damage, RecordedSession, RecordedSummary } from "./recorded-session.ts";

type Of<Role extends HostMessage["role"]> = HostMessage & { readonly role: Role };
export type Block = Of<"assistant">["content"][number];
export type Part = Exclude<Of<"user">["content"], string>[number];

/** The type of notes that an agent put into its own context. */
export const RECORDED_NOTE = `${OUR_MESSAGES}recorded`;

export type Draft = ReturnType<typeof openDraft>;

type Usage = Of<"assistant">["usage"];

/** The model of a recorded reply, and the tokens that its provider counted. */
export type ReplyFacts = Partial<Pick<Of<"assistant">, "api" | "provider" | "model" | "usage">>;

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
	const known: { cwd?: string; id?: string } = {};
	const branch: (Fields & { readonly type: string })[] = [];
	let place = 0;
	let timestamp = 0;
	const note = (reason: string) => noteAt(place, reason);
	return {
		path,
		messages,
		/** The session's own id, and the folder of its workspace. */
		identify(id: string, cwd: string) {
			if (id !== "") known.id = id;
			if (cwd !== "") known.cwd = cwd;
		},
		hasId: () => known.id !== undefined,
		/** Keeps an entry of pi's own file, on the branch that is read. */
		keep: (entry: Fields) => void branch.push({ ...entry, type: textOf(entry.type) }),
		/** Turns to an entry: its place, and its time in ms since the epoch. */
		turnTo(at: number, time: number) {
			place = at;
			timestamp = time;
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
			const shown = [...content];
			messages.push({ role: "custom", customType: RECORDED_NOTE, content: shown, display: false, timestamp });
		},
		/**
		 * A reply of the model. Blocks of one id came with one request: they go to the place of the first of them, and one that
		 * was written twice counts once.
		 */
		reply(blocks: readonly Block[], id?: string, facts: ReplyFacts = {}) {
			if (!replies.has(id)) open.clear();
			for (const block of blocks) {
				if (block.type !== "toolCall") continue;
				tools.set(block.id, block.name);
				open.add(block.id);
			}
			const index = replies.get(id) ?? messages.length;
			if (id !== undefined) replies.set(id, index);
			const begun = messages[index];
			const earlier = begun?.role === "assistant" ? begun : undefined;
			const content = mergeBlocks(earlier?.content ?? [], blocks);
			const recorded = { ...factsOf(earlier), ...facts };
			messages[index] = modelReply(content, earlier?.timestamp ?? timestamp, recorded);
		},
		/** The provider's count for the last reply, where the file holds it apart. */
		reportUsage(usage: Usage) {
			const index = messages.findLastIndex(({ role }) => role === "assistant");
			const reply = messages[index];
			if (reply?.role === "assistant") messages[index] = { ...reply, usage };
		},
		hasReply: (id: string) => replies.has(id),
		/** Returns true once the model has replied. */
		hasBegun: () => messages.some(({ role }) => role === "assistant"),
		/** The oldest call of the last reply without a result. */
		openCall: (): string | undefined => [...open][0],
		/** No later message holds a result of the last reply. */
		endCalls: () => open.clear(),
		/**
		 * The result of a call. Its tool is that of the call, or `named` if the call is not in the session. One that was written
		 * late goes to the other results of its reply: the model was sent it there.
		 */
		result(toolCallId: string, content: readonly Part[], isError = false, named = "") {
			open.delete(toolCallId);
			const toolName = tools.get(toolCallId) ?? (named || "unknown");
			const place = placeOfResult(messages, toolCallId);
			const shown = [...content];
			messages.splice(place, 0, {
				role: "toolResult",
				toolCallId,
				toolName,
				content: shown,
				isError,
				timestamp,
			});
		},
		/** The agent put a summary in place of the messages so far, except for those from `firstKept` on. */
		summary(text: string, firstKept = messages.length) {
			summaries.push({ text, timestamp, position: messages.length, firstKept });
		},
		finish: (format: string): RecordedSession => {
			const { name } = parse(path);
			return { path, name, format, ...known, branch, messages, summaries, damage };
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

/** Index behind the reply that makes a call and the results that follow it; the end, unless a later reply stands there. */
function placeOfResult(messages: readonly HostMessage[], callId: string): number {
	const isReply = ({ role }: HostMessage) => role === "assistant";
	const last = messages.findLastIndex(isReply);
	const makes = (message: HostMessage) =>
		message.role === "assistant" &&
		message.content.some((block) => block.type === "toolCall" && block.id === callId);
	const own = messages.findLastIndex(makes);
	if (own < 0 || own === last) return messages.length;
	return messages.findIndex(({ role }, index) => index > own && role !== "toolResult");
}

/** Blocks with those that follow; a call that is written again, or a text that continues an earlier one, replaces it. */
function mergeBlocks(earlier: readonly Block[], blocks: readonly Block[]): readonly Block[] {
	const merged = [...earlier];
	for (const block of blocks) {
		const same = merged.findIndex((each) => isRewritten(each, block));
		if (same < 0) merged.push(block);
		else merged[same] = block;
	}
	return merged;
}

function isRewritten(earlier: Block, block: Block): boolean {
	if (earlier.type === "toolCall")
		return block.type === "toolCall" && block.id !== "" && block.id === earlier.id;
	if (earlier.type === "text") return block.type === "text" && block.text.startsWith(earlier.text);
	if (block.type !== "thinking") return false;
	const isSigned = (block.thinkingSignature ?? "") !== "";
	if (isSigned && earlier.thinkingSignature) return block.thinkingSignature === earlier.thinkingSignature;
	return earlier.thinking !== "" && block.thinking.startsWith(earlier.thinking);
}

function factsOf(reply: Of<"assistant"> | undefined): ReplyFacts {
	if (!reply) return {};
	const { api, provider, model, usage } = reply;
	return { api, provider, model, usage };
}

/** The usage of a request in pi's terms, from what a provider counted; what is no number counts as 0. */
export function usageOf(counted: {
	/** Input that the cache did not serve, without what was written to it. */
	readonly input: unknown;
	readonly cached?: unknown;
	readonly written?: unknown;
	readonly output: unknown;
}): Usage {
	const input = amountOf(counted.input);
	const output = amountOf(counted.output);
	const cacheRead = amountOf(counted.cached);
	const cacheWrite = amountOf(counted.written);
	const totalTokens = input + output + cacheRead + cacheWrite;
	const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
	return { input, output, cacheRead, cacheWrite, totalTokens, cost };
}

/** The usage where the provider counts cached tokens among the input. */
export function inclusiveUsage(input: unknown, cached: unknown, output: unknown): Usage {
	return usageOf({ input: amountOf(input) - amountOf(cached), cached, output });
}

const noUsage = usageOf({ input: 0, output: 0 });
const unknownModel = { api: "recorded", provider: "recorded", model: "recorded", usage: noUsage } as const;

/** One reply of a model, with nothing charged: the cost of a recorded one is counted again. */
export function modelReply(
	content: readonly Block[],
	timestamp: number,
	facts: ReplyFacts = {},
): Of<"assistant"> {
	const stopReason = content.some(({ type }) => type === "toolCall") ? "toolUse" : "stop";
	return { role: "assistant", content: [...content], ...unknownModel, ...facts, stopReason, timestamp };
}

/** An empty list for text that says nothing: no block is sent for it. */
export function says(text: string): Block[] {
	return text.trim() === "" ? [] : [{ type: "text", text }];
}

/** Thinking that only its provider can read has a `seal`, the signature that goes back to it, and often no text. */
export function thinks(thinking: string, seal = ""): Block[] {
	if (seal !== "") return [{ type: "thinking", thinking, thinkingSignature: seal }];
	return thinking.trim() === "" ? [] : [{ type: "thinking", thinking }];
}

/** Thinking blocks as Anthropic's API and programs on top of it write them, redacted ones included. */
export function readThinking(blocks: readonly Fields[]): Block[] {
	return blocks.flatMap(({ type, thinking, signature, data }): Block[] => {
		if (type !== "redacted_thinking") return thinks(textOf(thinking), textOf(signature));
		return [{ type: "thinking", thinking: "", thinkingSignature: textOf(data), redacted: true }];
	});
}

/** OpenAI's reasoning: its summary, and the encrypted content as pi keeps it. */
export function reasons(summary: string, encrypted: string): Block[] {
	const seal = encrypted === "" ? "" : JSON.stringify({ type: "reasoning", encrypted_content: encrypted });
	return thinks(summary, seal);
}

/** The thinking that is sent again: Anthropic's blocks, whose text others repeat, OpenAI's item, or the text alone. */
export function readSentThinking({
	thinking_blocks,
	responses_reasoning_item,
	reasoning_content,
}: Fields): Block[] {
	const blocks = readThinking(recordsOf(thinking_blocks));
	if (blocks.length > 0) return blocks;
	const { encrypted_content } = fieldsOf(responses_reasoning_item);
	return reasons(textOf(reasoning_content), textOf(encrypted_content));
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

const IMAGES = new Set(["image", "image_url", "input_image", "document"]);

/**
 * Content as the chat APIs write it: a text, or a list of parts with a `text` or a picture, whatever their type is
 * called. Pictures count a fixed sum of tokens: their bytes are dropped, so that they do not fill the memory. Parts of
 * other kinds are handed to `refuse`.
 */
export function readParts(content: unknown, refuse: (kind: string) => void = () => {}): Part[] {
	if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
	const parts: Part[] = [];
	for (const part of listOf(content)) {
		const { type, text, inlineData, tool_name } =
			typeof part === "string" ? { type: "text", text: part } : fieldsOf(part);
		if (typeof text === "string") parts.push({ type: "text", text });
		// A search for tools answers with their names; their definitions are not in the file.
		else if (type === "tool_reference") parts.push({ type: "text", text: `tool ${textOf(tool_name)}` });
		else if (IMAGES.has(textOf(type)) || isFields(inlineData))
			parts.push({ type: "image", data: "", mimeType: "image/png" });
		else refuse(textOf(type) || "without a type");
	}
	return parts;
}

export function joinText(parts: readonly Part[]): string {
	return parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}
