/**
 * The conversations that are under way. No agent says which session a request belongs to, so its content does: each
 * message is named by a hash of itself and of all that stands before it.
 */

import { countShared, parseAt, type Span } from "../wire/json-scan.ts";
import type { Entry, MessageDraft, TextReader, WireFormat } from "../wire/wire-format.ts";
import { findPrefixChange, type PrefixChange } from "./changed-prefix.ts";
import { type ParsedRequest, parseRequest } from "./request.ts";
import { createTranscript, nextLink, type Transcript } from "./transcript.ts";

/** One conversation as its last request had it. */
export interface Conversation<State> {
	readonly format: WireFormat;
	readonly request: ParsedRequest;
	readonly readings: readonly Entry[];
	/** The name of the conversation up to each message. */
	readonly links: readonly string[];
	readonly transcript: Transcript;
	/** Tokens of the system prompt and of the tools. */
	readonly fixed: { readonly system: number; readonly tools: number };
	/** A change that the agent made to what the request before had. */
	readonly change: PrefixChange | undefined;
	/** The state that the caller keeps with a conversation; a fork gets one of its own. */
	readonly state: State;
}

export interface Conversations<State> {
	/** The conversation that the request with this body continues or begins. */
	follow(body: Buffer, format: WireFormat): Followed<State>;
}

export type Followed<State> =
	| { readonly type: "followed"; readonly conversation: Conversation<State> }
	| { readonly type: "not understood"; readonly reason: string };

/** A conversation as far as the entry that is read next. */
export interface Begun {
	readonly format: WireFormat;
	readonly request: ParsedRequest;
	/** Holds all entries before that one. */
	readonly transcript: Transcript;
	/** The name of the conversation up to each entry, those that follow included. */
	readonly links: readonly string[];
}

/** Completes an entry by what stands before it. It answers the same each time that it is asked. */
export type Complete = (entry: Entry, begun: Begun) => Entry;

/** Memory holds this many; an older one is read again from its next request. */
const MAX_CONVERSATIONS = 64;

export function createConversations<State>(
	reader: TextReader,
	createState: () => State,
	complete: Complete = (entry) => entry,
): Conversations<State> {
	/** The one used last stands last. */
	const recent: Conversation<State>[] = [];

	function keep(conversation: Conversation<State>, replaced: Conversation<State> | undefined) {
		const at = replaced ? recent.indexOf(replaced) : -1;
		if (at >= 0) recent.splice(at, 1);
		recent.push(conversation);
		if (recent.length > MAX_CONVERSATIONS) recent.shift();
	}

	return {
		follow(body, format) {
			const requests = recent.flatMap(({ format: own, request }) => (own === format ? request : []));
			const parsed = parseRequest(body, format, requests);
			if (parsed.type !== "parsed") return parsed;
			const { request } = parsed;
			const { known, same } = findNearest(recent, request, format);
			const read = readEntries(request, format, reader, known, same);
			if (!read) return { type: "not understood", reason: "a message has a form that is not known" };
			const { readings, links } = read;
			const continues = known?.links.every((link, index) => links[index] === link) === true;
			const transcript = continues ? known.transcript : createTranscript();
			const first = continues ? firstChanged(known.readings, readings) : 0;
			transcript.cut(first);
			const begun = { format, request, transcript, links };
			for (const [index, entry] of readings.entries()) {
				if (index < first) continue;
				transcript.append(complete(inCallOrder(entry, transcript), begun), links[index] ?? "");
			}
			const state = continues ? known.state : createState();
			const fixed = measureFixed(request, reader, known);
			const change = continues ? findPrefixChange(known.request, request) : undefined;
			const conversation = { format, request, readings, links, transcript, fixed, change, state };
			keep(conversation, continues ? known : undefined);
			return { type: "followed", conversation };
		},
	};
}

/** The conversation that shares most of its beginning with a request, byte for byte, and the number of equal messages. */
function findNearest<State>(
	recent: readonly Conversation<State>[],
	request: ParsedRequest,
	format: WireFormat,
): { readonly known: Conversation<State> | undefined; readonly same: number } {
	let known: Conversation<State> | undefined;
	let same = 0;
	for (const candidate of recent.toReversed()) {
		if (candidate.format !== format) continue;
		const shared = countEqual(candidate.request, request);
		if (shared <= same) continue;
		known = candidate;
		same = shared;
	}
	return { known, same };
}

function countEqual(one: ParsedRequest, other: ParsedRequest): number {
	const end = Math.min(one.list.elements.length, other.list.elements.length);
	// Two requests of one session begin with the same bytes: one comparison answers for all messages in them.
	const shared = countShared(one.bytes, other.bytes);
	for (let index = 0; index < end; index += 1) {
		const [a, b] = [one.list.elements[index], other.list.elements[index]];
		const isShared = a && b && a.start === b.start && a.end === b.end && a.end <= shared;
		if (!isShared && !isEqualAt(one, a, other, b)) return index;
	}
	return end;
}

function isEqualAt(
	one: ParsedRequest,
	a: Span | undefined,
	other: ParsedRequest,
	b: Span | undefined,
): boolean {
	if (!a || !b || a.end - a.start !== b.end - b.start) return false;
	return one.bytes.compare(other.bytes, b.start, b.end, a.start, a.end) === 0;
}

/** Reads the messages of a request; those whose bytes are known are not read again. */
function readEntries<State>(
	request: ParsedRequest,
	format: WireFormat,
	reader: TextReader,
	known: Conversation<State> | undefined,
	same: number,
): { readonly readings: readonly Entry[]; readonly links: readonly string[] } | undefined {
	const readings: Entry[] = known?.readings.slice(0, same) ?? [];
	const links: string[] = known?.links.slice(0, same) ?? [];
	for (const [index, span] of request.list.elements.entries()) {
		if (index < same) continue;
		const old = known?.request.list.elements[index];
		const isSame = known !== undefined && isEqualAt(known.request, old, request, span);
		const entry = (isSame && known.readings[index]) || format.readEntry(parseAt(request.bytes, span), reader);
		if (!entry) return undefined;
		readings.push(entry);
		links.push(nextLink(links.at(-1) ?? format.list, entry.identity));
	}
	return { readings, links };
}

/**
 * The results of an entry in the order of their calls. Agents that make calls at once send the results as they come, and
 * in another order once the session is resumed.
 */
function inCallOrder(entry: Entry, { messages }: Transcript): Entry {
	const calls = messages.at(-1)?.items ?? [];
	const orderOf = ({ items: [placed] }: MessageDraft) => {
		if (placed?.draft.type !== "result") return calls.length;
		const { callId } = placed.draft;
		return calls.findIndex((item) => item.type === "call" && item.callId === callId);
	};
	return { ...entry, drafts: entry.drafts.toSorted((one, other) => orderOf(one) - orderOf(other)) };
}

/** A conversation is named by what stands before the model's first message; until then nothing can be evicted. */
export function rootOf({
	transcript: { messages, entries },
	links,
}: Pick<Begun, "transcript" | "links">): string | undefined {
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

function measureFixed<State>(
	request: ParsedRequest,
	{ countTokens }: TextReader,
	known: Conversation<State> | undefined,
): Conversation<State>["fixed"] {
	const measure = (span: Span | undefined, old: Span | undefined, before: number | undefined) => {
		if (!span) return 0;
		const isSame = known !== undefined && isEqualAt(known.request, old, request, span);
		if (isSame && before !== undefined) return before;
		return countTokens(request.bytes.toString("utf8", span.start, span.end));
	};
	return {
		system: measure(request.system[0], known?.request.system[0], known?.fixed.system),
		tools: measure(request.tools, known?.request.tools, known?.fixed.tools),
	};
}
