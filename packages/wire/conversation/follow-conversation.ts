/**
 * The conversations that are under way. No agent says which session a request belongs to, so its content does: each
 * message is named by a hash of itself and of all that stands before it.
 */

import { sum } from "#basics";
import type { Span } from "../formats/json-bytes.ts";
import type { Entry, MessageDraft, TextReader, WireFormat } from "../formats/wire-format.ts";
import { createMovedFinder, findPrefixChange } from "./changed-prefix.ts";
import {
	type Conversation,
	isEqualAt,
	type Located,
	locateRequest,
	type ParsedRequest,
	readEntries,
} from "./request.ts";
import { createTranscript, type Transcript } from "./transcript.ts";

/** A conversation as far as the entry that is read next: the transcript holds all entries before that one. */
export type Begun = Omit<Conversation, "readings" | "fixed" | "change">;

/** Completes an entry by what stands before it. It answers the same each time that it is asked. */
export type Complete = (entry: Entry, begun: Begun) => Entry;

/** Memory holds this many; an older one is read again from its next request. */
const MAX_CONVERSATIONS = 64;

export function createConversations(reader: TextReader, complete: Complete) {
	/** The one used last stands last. */
	const recent: Conversation[] = [];
	/** The request that was located last; it holds until another conversation is kept. */
	let last: { readonly body: Buffer; readonly located: Located } | undefined;
	const findMoved = createMovedFinder();
	const readBefore = new WeakMap<Buffer, Map<number, Entry>>();

	function keep(conversation: Conversation, replaced: Conversation | undefined) {
		last = undefined;
		const at = replaced ? recent.indexOf(replaced) : -1;
		if (at >= 0) recent.splice(at, 1);
		recent.push(conversation);
		if (recent.length > MAX_CONVERSATIONS) recent.shift();
	}

	function begin(body: Buffer, format: WireFormat) {
		if (last?.body !== body) last = { body, located: locateRequest(recent, body, format) };
		const { located } = last;
		const read = readBefore.get(body) ?? new Map<number, Entry>();
		readBefore.set(body, read);
		return { located, reading: readEntries(located, format, reader, read) };
	}

	return {
		/** The conversation that the request with this body continues or begins. @throws NotUnderstood */
		follow(body: Buffer, format: WireFormat): Conversation {
			const { located, reading } = begin(body, format);
			const { request, known } = located;
			let step = reading.next();
			while (!step.done) step = reading.next();
			const { readings, links, names } = step.value;
			const continues = known?.links.every((link, index) => links[index] === link) === true;
			const transcript = continues ? known.transcript : createTranscript();
			const first = continues ? firstChanged(known.readings, readings) : 0;
			transcript.cut(first);
			const begun = { format, request, transcript, links, names };
			for (const [at, entry] of holdCalls(readings.slice(first)).entries()) {
				transcript.append(complete(inCallOrder(entry, transcript), begun), links[first + at] ?? "");
			}
			const fixed = measureFixed(request, reader, known);
			const moved = findMoved(step.value);
			const change = continues ? findPrefixChange(known.request, request) : moved;
			const conversation = { ...begun, readings, fixed, change };
			keep(conversation, continues ? known : undefined);
			return conversation;
		},
		/**
		 * Reads the new messages of a long request before it is followed, and lets other requests through after each slice.
		 * Changes no result.
		 */
		async readAhead(body: Buffer, format: WireFormat) {
			for (const _ of begin(body, format).reading) await new Promise((resolve) => setImmediate(resolve));
		},
	};
}

/**
 * Keeps from eviction the calls whose results load tools, and those results: without them the loaded tools are gone, while later
 * calls of those tools stay. An agent sends a call and its result in one request, so such a call is kept from the first time on.
 */
function holdCalls(entries: readonly Entry[]): readonly Entry[] {
	/** By call id, for the nearest result behind an entry. */
	const held = new Map<string, boolean>();
	const hold = (draft: MessageDraft): MessageDraft => {
		const kept = draft.items.filter(({ draft: item, isHeld = false }) => {
			if (item.type === "result") held.set(item.callId, isHeld);
			return item.type === "call" || item.type === "result" ? held.get(item.callId) !== true : true;
		});
		if (kept.length === draft.items.length) return draft;
		const lost = draft.items.filter((item) => !kept.includes(item));
		const uncounted = sum(lost, (item) => item.draft.tokens) + (draft.uncounted ?? 0);
		return { author: kept.length > 0 ? draft.author : "host", items: kept, uncounted };
	};
	return entries
		.toReversed()
		.map((entry) => {
			const drafts = entry.drafts.toReversed().map(hold).toReversed();
			return drafts.every((draft, at) => draft === entry.drafts[at]) ? entry : { ...entry, drafts };
		})
		.toReversed();
}

/**
 * The results of an entry in the order of their calls. Agents that make calls at once send the results as they come, and
 * in another order once the session is resumed.
 */
function inCallOrder(entry: Entry, { messages }: Transcript): Entry {
	if (entry.drafts.length < 2) return entry;
	const calls = new Map<string, number>();
	for (const [index, item] of (messages.at(-1)?.items ?? []).entries()) {
		if (item.type === "call" && !calls.has(item.callId)) calls.set(item.callId, index);
	}
	const orderOf = ({ items: [placed] }: MessageDraft) => {
		if (placed?.draft.type !== "result") return Infinity;
		return calls.get(placed.draft.callId) ?? -1;
	};
	return { ...entry, drafts: entry.drafts.toSorted((one, other) => compare(orderOf(one), orderOf(other))) };
}

function compare(one: number, other: number): number {
	return one === other ? 0 : one - other;
}

/** A conversation is named by what stands before the model's first message; until then nothing can be evicted. */
export function rootOf({ transcript: { messages, entries }, links }: Begun): string | undefined {
	const first = messages.findIndex(({ author }) => author === "model");
	if (first < 0) return undefined;
	const entry = entries.findIndex(({ items }) => items.some(({ message }) => message === first));
	return links[Math.max(0, entry - 1)];
}

/** Index of the first message that was read anew. */
function firstChanged(before: readonly Entry[], after: readonly Entry[]): number {
	const index = before.findIndex((entry, at) => after[at] !== entry);
	return index < 0 ? before.length : index;
}

function measureFixed(
	request: ParsedRequest,
	{ countTokens }: TextReader,
	known: Conversation | undefined,
): Conversation["fixed"] {
	const measure = (key: "system" | "tools") => {
		const span: Span | undefined = request[key];
		if (!span) return 0;
		if (known && isEqualAt(known.request, known.request[key], request, span)) return known.fixed[key];
		return countTokens(request.bytes.toString("utf8", span.start, span.end));
	};
	return { system: measure("system"), tools: measure("tools") };
}
