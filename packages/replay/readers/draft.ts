/** The session of another agent in pi's terms while it is read: a draft that collects messages with their damage. */
import { parse } from "node:path";
import { type HostMessage, isAnswer, OUR_MESSAGES, toolCallsOf } from "#pi/codec";
import type { OtherCall } from "#pi/session";
import { type Fields, fieldsOf, textOf } from "./json.ts";
import {
	type Block,
	modelReply,
	type Part,
	type ReplyFacts,
	readParts,
	recordedUsage,
} from "./message-parts.ts";
import type { Opening } from "./opening.ts";
import type { Damage, RecordedSession, RecordedSummary } from "./recorded-session.ts";

/** The type of notes that an agent put into its own context. */
export const RECORDED_NOTE = `${OUR_MESSAGES}recorded`;

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
 * stands between the file and a place in it: a colon for lines, `#` for items of a list. `leaf` is the last entry of the branch
 * that is read, in a format with branches; the last entry of the file if left out.
 */
export function openDraft(path: string, mark: ":" | "#", leaf?: string) {
	const messages: HostMessage[] = [];
	const summaries: RecordedSummary[] = [];
	const { damage, note: noteAt } = openDamage(path, mark);
	const replies = new Map<string | undefined, number>();
	const tools = new Map<string, string>();
	/** Ids of the calls of the last reply that have no result yet. */
	const open = new Set<string>();
	const known: { cwd?: string; id?: string } = {};
	const branch: (Fields & { readonly type: string })[] = [];
	const otherCalls: OtherCall[] = [];
	const otherCompactions: string[] = [];
	let place = 0;
	let timestamp = 0;
	const note = (reason: string) => noteAt(place, reason);
	const noteUnknown = (what: string, kind: unknown, fate = "skipped") =>
		note(`${what} ${JSON.stringify(kind)}: ${fate}`);
	return {
		path,
		leaf,
		messages,
		/** The session's own id, and the folder of its workspace. */
		identify(id: string, cwd: string) {
			if (id !== "") known.id = id;
			if (cwd !== "") known.cwd = cwd;
		},
		hasId: () => known.id !== undefined,
		/** Keeps an entry of pi's own file, on the branch that is read. */
		keep: (entry: Fields) => void branch.push({ ...entry, type: textOf(entry.type) }),
		/** Keeps the usage of an entry that no answer and no summary of the branch has, or the id of a compaction without usage. */
		spend({ type, id, summary, usage, message, timestamp }: Fields, isElsewhere: boolean) {
			const { provider, model, ...answer } = fieldsOf(message);
			const used = recordedUsage(usage ?? answer.usage);
			if (used.totalTokens === 0) {
				if (type === "compaction" && textOf(summary) !== "") otherCompactions.push(textOf(id));
				return;
			}
			const isNamed = typeof provider === "string" && typeof model === "string";
			const by = isNamed ? { provider, model } : undefined;
			otherCalls.push({ usage: used, by, isElsewhere, entry: { type: textOf(type), message, timestamp } });
		},
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
		/** Notes something of a kind that its reader does not know. */
		noteUnknown,
		/** Content as the chat APIs write it. Parts of an unknown kind are left out and noted. */
		parts: (content: unknown) =>
			readParts(content, (kind) => noteUnknown("content part of kind", kind, "left out")),
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
			const earlier = begun && isAnswer(begun) ? begun : modelReply([], timestamp);
			messages[index] = modelReply(mergeBlocks(earlier.content, blocks), earlier.timestamp, {
				...earlier,
				...facts,
			});
		},
		/** The provider's count for the last reply, where the file holds it apart. */
		reportUsage(usage: ReplyFacts["usage"]) {
			const index = messages.findLastIndex(isAnswer);
			const reply = messages[index];
			if (usage && reply && isAnswer(reply)) messages[index] = { ...reply, usage };
		},
		hasReply: (id: string) => replies.has(id),
		/** Returns true once the model has replied. */
		hasBegun: () => messages.some(isAnswer),
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
			messages.splice(placeOfResult(messages, toolCallId), 0, {
				role: "toolResult",
				toolCallId,
				toolName,
				content: [...content],
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
			return {
				path,
				name,
				format,
				...known,
				branch,
				messages,
				summaries,
				otherCalls,
				otherCompactions,
				damage,
			};
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
	const last = messages.findLastIndex(isAnswer);
	const own = messages.findLastIndex((message) => toolCallsOf(message).some(({ id }) => id === callId));
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
