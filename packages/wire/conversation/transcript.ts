/** The entries of a request as core's transcript, and the place of each item in the request. */
import { sum } from "#basics";
import type { ProjectedPart } from "#core/projection";
import type { Item, ToolCall, TranscriptMessage } from "#core/transcript";
import {
	type Entry,
	fingerprint,
	type ItemDraft,
	type MessageDraft,
	type PlacedDraft,
	silent,
} from "../formats/wire-format.ts";

/** An item of an entry: where core knows it, and where it stands. */
export interface PlacedItem extends PlacedDraft {
	/** Index of the message in the transcript. */
	readonly message: number;
	/** Index of the item in its message. */
	readonly item: number;
}

/** The part of a transcript that one entry makes up. */
export interface EntryItems {
	readonly items: readonly PlacedItem[];
	/** True if part of the entry is no item: the entry then stays. */
	readonly isHeld: boolean;
	/** The index that its first message has, or would have. */
	readonly firstMessage: number;
	/** The index of the message that its last item is in, or would be in. */
	readonly lastMessage: number;
	/** Items of that message up to the end of the entry. */
	readonly itemsInLast: number;
}

export type Transcript = ReturnType<typeof createTranscript>;

/** A name for a conversation up to a message, from the name of what stands before it. */
export function nextLink(previous: string, identity: string): string {
	return fingerprint(`${previous}\n${identity}`);
}

export function createTranscript() {
	const messages: TranscriptMessage[] = [];
	const entries: (EntryItems & { readonly uncounted: number; readonly continues: boolean })[] = [];
	let calls = new Map<string, ToolCall>();

	function add(draft: MessageDraft, link: string, ids: IdCounter, joins: boolean): PlacedItem[] {
		const last = messages.at(-1);
		const joined = joins && last?.author === "model" && draft.author === "model" ? last : undefined;
		const message = joined ? messages.length - 1 : messages.length;
		const items = draft.items.map(
			({ draft: item }) => ({ ...item, id: `${link}.${ids(item)}`, message }) as Item,
		);
		for (const item of items) if (item.type === "call") calls.set(item.callId, item);
		const before = joined?.items ?? [];
		messages[message] = { author: draft.author, items: [...before, ...items] };
		return draft.items.map((placed, index) => ({ ...placed, message, item: before.length + index }));
	}

	return {
		messages: messages as readonly TranscriptMessage[],
		entries: entries as readonly EntryItems[],
		/** Tokens of what is in no item. */
		get uncounted() {
			return sum(entries, (entry) => entry.uncounted);
		},
		/** The newest call with this id. */
		callOf: (id: string) => calls.get(id),
		/** Adds an entry. `link` names everything up to it. */
		append(entry: Entry, link: string) {
			const ids = createIdCounter();
			const ownContinues = entry.continues === true;
			const continues = ownContinues && entries.at(-1)?.continues === true;
			const firstMessage = messages.length;
			const drafts = entry.drafts.map((draft) => withoutStray(draft, calls));
			const items = drafts.flatMap((draft) => add(draft, link, ids, continues));
			const uncounted = sum(drafts, (draft) => draft.uncounted ?? 0);
			const isHeld = drafts.some((draft) => draft.items.length === 0 || draft.uncounted !== undefined);
			const lastMessage = messages.length - 1;
			const itemsInLast = messages[lastMessage]?.items.length ?? 0;
			const place = { firstMessage, lastMessage, itemsInLast };
			entries.push({ items, isHeld, ...place, uncounted, continues: ownContinues });
		},
		/** Drops all entries from this one on. */
		cut(length: number) {
			const [first] = entries.splice(length);
			if (!first) return;
			messages.length = first.firstMessage;
			trimLast(messages, entries.at(-1));
			const left = messages.flatMap(({ items }) => items).filter((item) => item.type === "call");
			calls = new Map(left.map((call) => [call.callId, call]));
		},
	};
}

/** The last message may have had items of entries that were dropped. */
function trimLast(messages: TranscriptMessage[], entry: EntryItems | undefined) {
	const last = entry && messages[entry.lastMessage];
	if (last) messages[entry.lastMessage] = { ...last, items: last.items.slice(0, entry.itemsInLast) };
}

/** A result whose call was not understood, or is held, stays. */
function withoutStray(draft: MessageDraft, calls: ReadonlyMap<string, ToolCall>): MessageDraft {
	const [first] = draft.items;
	if (first?.draft.type !== "result" || calls.has(first.draft.callId)) return draft;
	return silent(first.draft.tokens);
}

type IdCounter = ReturnType<typeof createIdCounter>;

/** Numbers items by type, so that an item keeps its id when another one of its message is not sent again. */
function createIdCounter() {
	const counts = new Map<string, number>();
	return ({ type }: ItemDraft) => {
		const count = counts.get(type) ?? 0;
		counts.set(type, count + 1);
		return `${type}${count}`;
	};
}

/** Returns a test: true if these parts send an item. */
export function sentItems(
	parts: readonly ProjectedPart[],
): (item: Pick<PlacedItem, "message" | "item">) => boolean {
	const sent = new Map<number, ReadonlySet<number> | "all">();
	for (const part of parts) {
		if (part.type === "part") sent.set(part.message, new Set(part.blocks));
		else if (part.type !== "marker") sent.set(part.message, "all");
	}
	return ({ message, item }) => {
		const items = sent.get(message);
		return items === "all" || items?.has(item) === true;
	};
}
