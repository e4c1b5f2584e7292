/**
 * The conversations that are under way. No agent says which session a request belongs to, so its content does: each
 * message is named by a hash of itself and of all that stands before it.
 */

import type { Span } from "../wire/json-bytes.ts";
import type { Entry, MessageDraft, TextReader, WireFormat } from "../wire/wire-format.ts";
import { createMovedFinder, findPrefixChange, type PrefixChange } from "./changed-prefix.ts";
import type { NotUnderstood, ParsedRequest } from "./request.ts";
import {
	isEqualAt,
	type Located,
	locateRequest,
	type ReadRequest,
	readEntries,
	readInSlices,
} from "./request.ts";
import { createTranscript, type Transcript } from "./transcript.ts";

/** One conversation as its last request had it. */
export interface Conversation<State> extends ReadRequest {
	readonly transcript: Transcript;
	/** Tokens of the system prompt and of the tools. */
	readonly fixed: { readonly system: number; readonly tools: number };
	/** A change that the agent made to what earlier requests had. */
	readonly change: PrefixChange | undefined;
	/** The state that the caller keeps with a conversation; a fork gets one of its own. */
	readonly state: State;
}

export type Followed<State> =
	| { readonly type: "followed"; readonly conversation: Conversation<State> }
	| NotUnderstood;

/** A conversation as far as the entry that is read next. */
export interface Begun {
	readonly format: WireFormat;
	readonly request: ParsedRequest;
	/** Holds all entries before that one. */
	readonly transcript: Transcript;
	/** The name of the conversation up to each entry, those that follow included, and the same for the store. */
	readonly links: readonly string[];
	readonly names: readonly string[];
}

/** Completes an entry by what stands before it. It answers the same each time that it is asked. */
export type Complete = (entry: Entry, begun: Begun) => Entry;

/** Memory holds this many; an older one is read again from its next request. */
const MAX_CONVERSATIONS = 64;

export function createConversations<State>(
	reader: TextReader,
	createState: () => State,
	complete: Complete = (entry) => entry,
) {
	/** The one used last stands last. */
	const recent: Conversation<State>[] = [];
	/** The request that was located last; it holds until another conversation is kept. */
	let last:
		| { readonly body: Buffer; readonly located: Located<Conversation<State>> | NotUnderstood }
		| undefined;
	const findMoved = createMovedFinder();
	const readBefore = new WeakMap<Buffer, ReadonlyMap<number, Entry>>();

	function keep(conversation: Conversation<State>, replaced: Conversation<State> | undefined) {
		last = undefined;
		const at = replaced ? recent.indexOf(replaced) : -1;
		if (at >= 0) recent.splice(at, 1);
		recent.push(conversation);
		if (recent.length > MAX_CONVERSATIONS) recent.shift();
	}

	function locate(body: Buffer, format: WireFormat): Located<Conversation<State>> | NotUnderstood {
		if (last?.body === body) return last.located;
		const located = locateRequest(recent, body, format);
		last = { body, located };
		return located;
	}

	return {
		/** The conversation that the request with this body continues or begins. */
		follow(body: Buffer, format: WireFormat): Followed<State> {
			const located = locate(body, format);
			if (located.type !== "located") return located;
			const { request, known } = located;
			const read = readEntries(located, format, reader, readBefore.get(body));
			if (read.type !== "read") return read;
			const { readings, links, names } = read;
			const continues = known?.links.every((link, index) => links[index] === link) === true;
			const transcript = continues ? known.transcript : createTranscript();
			const first = continues ? firstChanged(known.readings, readings) : 0;
			transcript.cut(first);
			const begun = { format, request, transcript, links, names };
			for (const [index, entry] of readings.entries()) {
				if (index < first) continue;
				transcript.append(complete(inCallOrder(entry, transcript), begun), links[index] ?? "");
			}
			const state = continues ? known.state : createState();
			const fixed = measureFixed(request, reader, known);
			const moved = findMoved(read);
			const change = continues ? findPrefixChange(known.request, request, located.shared) : moved;
			const conversation = { ...begun, readings, fixed, change, state };
			keep(conversation, continues ? known : undefined);
			return { type: "followed", conversation };
		},
		/**
		 * Reads the new messages of a long request before it is followed, and lets other requests through after each slice.
		 * Changes no result.
		 */
		async readAhead(body: Buffer, format: WireFormat) {
			const located = locate(body, format);
			if (located.type === "located") readBefore.set(body, await readInSlices(located, format, reader));
		},
	};
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
