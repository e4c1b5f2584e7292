/**
 * Answers the calls of our own tools inside the request that brings their results. A server of the Model Context Protocol
 * is not told which conversation calls it, and sub-agents share one server; the request holds the conversation itself.
 * An answer depends on nothing but the messages before it and the passes made along them, so that later requests, also of
 * a proxy that was started again, have the same bytes.
 */

import { isRecord, textOf, type UnknownRecord } from "#basics";
import {
	admitDelimiter,
	advanceProtocol,
	DELIMITER,
	emptyProtocol,
	type ProtocolState,
} from "#core/annotation";
import { foldTranscript, type Graph } from "#core/graph";
import { readLog, type View } from "#core/log";
import { withoutRecall, withRecallIf } from "#core/projection";
import { RECALL } from "#core/recall";
import type { Item, ItemId, ToolCall, ToolTable } from "#core/transcript";
import { type Begun, type Complete, rootOf } from "./conversation/follow-conversation.ts";
import type { ParsedRequest } from "./conversation/request.ts";
import type { PlacedItem, Transcript } from "./conversation/transcript.ts";
import { parseAt } from "./formats/json-bytes.ts";
import {
	contentText,
	MCP_SERVER,
	type MessageDraft,
	type Place,
	recordsOf,
	resultDraft,
	type TextReader,
	type WireFormat,
} from "./formats/wire-format.ts";
import type { ConversationStore } from "./pass-store.ts";

/** The answer to a delimiter call, which stands unless the conversation rules the call out. */
export const DELIMITER_ANSWER = "cwl noted it.";
/** The answer to a recall, which stands where nothing was evicted: then it is true. */
export const RECALL_ANSWER = "cwl evicted nothing from this conversation: all of it still stands above.";

/** A conversation as a recall searches it. */
export interface RecallSource {
	readonly graph: Graph;
	/** The content that the passes before the recall evicted. */
	readonly view: View;
	/** The text of an item, as the agent sent it. */
	textOf(item: Item): string;
}

/** Finds what a query names and returns one page of it, from 1. Never throws. */
export type AnswerRecall = (source: RecallSource, query: string, page: number) => string;

export interface CompletionOptions {
	readonly store: ConversationStore;
	readonly tools: ToolTable;
	readonly reader: TextReader;
	/** Answers the recalls of models whose agent has the tools of `cwl mcp`. */
	readonly answerRecall: AnswerRecall;
}

/** Creates the completion of entries that hold results of our own tools. */
export function createCompletion(options: CompletionOptions): Complete {
	/** The state of the delimiter protocol after each entry. */
	const protocols = new WeakMap<Transcript, ProtocolState[]>();
	return (entry, begun) => {
		const { transcript } = begun;
		const index = transcript.entries.length;
		const states = protocols.get(transcript) ?? [];
		let state = states[index - 1] ?? emptyProtocol;
		const drafts = entry.drafts.map((draft) => {
			const call = callAnswered(draft, transcript);
			if (call?.tool === RECALL)
				return withAnswer(options, begun, draft, false, () => recall(options, begun, call));
			if (call?.tool !== DELIMITER) return draft;
			const decision = admitDelimiter(state, call.arguments);
			if (decision.type === "accepted") {
				state = advanceProtocol(state, decision.command);
				return draft;
			}
			return withAnswer(options, begun, draft, true, () => decision.message);
		});
		states.length = index;
		states.push(state);
		protocols.set(transcript, states);
		return drafts.every((draft, at) => draft === entry.drafts[at]) ? entry : { ...entry, drafts };
	};
}

/** The call that a draft is the result of; undefined if it failed or is none. */
function callAnswered({ items: [placed] }: MessageDraft, transcript: Transcript): ToolCall | undefined {
	if (placed?.draft.type !== "result" || placed.draft.isError) return undefined;
	return transcript.callOf(placed.draft.callId);
}

/** The draft of a result that `cwl mcp` left to the proxy, with the answer in its place; every other draft as it is. */
function withAnswer(
	{ reader }: CompletionOptions,
	{ request, format, transcript }: Begun,
	draft: MessageDraft,
	isError: boolean,
	answerOf: () => string | undefined,
): MessageDraft {
	const [placed] = draft.items;
	if (placed?.draft.type !== "result") return draft;
	const given = textAt(request, format, transcript.entries.length, placed.place);
	if (!given.includes(DELIMITER_ANSWER) && !given.includes(RECALL_ANSWER)) return draft;
	const answer = answerOf();
	if (answer === undefined) return draft;
	const result = resultDraft(placed.draft.callId, answer, isError, reader);
	return { ...draft, items: [{ ...placed, draft: result, answer }] };
}

/** Undefined where nothing was evicted before the recall: the answer of `cwl mcp` is then true. */
function recall(
	{ store, tools, answerRecall }: CompletionOptions,
	begun: Begun,
	{ arguments: { query, page } }: ToolCall,
): string | undefined {
	const { transcript, names } = begun;
	const root = rootOf(begun);
	const passes = root === undefined ? [] : store.passesAlong(root, names.slice(0, transcript.entries.length));
	if (passes.length === 0) return undefined;
	const graph = foldTranscript(transcript.messages, tools);
	const log = passes.map(({ pass }) => pass);
	const view = readLog(log, graph);
	const source = { graph, view, textOf: createTextFinder(begun) };
	const asked = typeof query === "string" ? query : "";
	return answerRecall(source, asked, typeof page === "number" ? page : 1);
}

/** The text that stands at a place of an entry; "" for what is no text. */
function textAt(request: ParsedRequest, format: WireFormat, entry: number, place: Place): string {
	const span = request.list.elements[entry];
	const value = span && parseAt(request.bytes, span);
	return isRecord(value) ? textOfPart(partAt(value, place), format) : "";
}

/** Finds the text of every item of a conversation. Only the messages that it is asked for are parsed. */
export function createTextFinder({
	request,
	format,
	transcript,
}: Pick<Begun, "request" | "format" | "transcript">): (item: Item) => string {
	const places = new Map<ItemId, readonly [entry: number, placed: PlacedItem]>();
	for (const [entry, { items }] of transcript.entries.entries()) {
		for (const placed of items) {
			const item = transcript.messages[placed.message]?.items[placed.item];
			if (item) places.set(item.id, [entry, placed]);
		}
	}
	return ({ id }) => {
		const [entry = 0, placed] = places.get(id) ?? [];
		return placed ? (placed.answer ?? textAt(request, format, entry, placed.place)) : "";
	};
}

function partAt(entry: UnknownRecord, place: Place): unknown {
	if (place.type === "entry") return entry;
	if (place.type === "member") return entry[place.key];
	const list = entry[place.list];
	const [index = -1] = place.indexes;
	return Array.isArray(list) ? list[index] : undefined;
}

function textOfPart(part: unknown, { resultContent }: WireFormat): string {
	if (!isRecord(part)) return contentText(part);
	const own = textOf(part.text) || textOf(part.thinking);
	return own || contentText(part[resultContent] ?? part.content ?? part.summary);
}

/** Agents that hide the tools of servers have a search for them: Claude Code and Codex their own, others that of Anthropic's API. */
const SEARCHES = ["ToolSearch", "tool_search"];

/**
 * Reads how a request offers our recall, and returns what makes of a line for an evicted episode one that offers no more. It
 * depends on the tools alone, and a search that has found the tool changes nothing: lines that were sent keep their bytes.
 */
export function readRecallOffer({ bytes, tools }: ParsedRequest): (line: string) => string {
	const text = tools ? bytes.subarray(tools.start, tools.end) : "";
	const search = SEARCHES.find((name) => text.includes(`"${name}`));
	const list = tools && search !== undefined ? recordsOf(parseAt(bytes, tools)) : [];
	const shown = list.filter(({ defer_loading: isHidden }) => isHidden !== true);
	if (search !== undefined && !holdsRecall(JSON.stringify(shown)))
		return (line) => withRecallIf(line, `if ${search} finds that tool`);
	return holdsRecall(text) ? (line) => line : withoutRecall;
}

function holdsRecall(tools: string | Buffer): boolean {
	if (tools.includes(`${MCP_SERVER}_${RECALL}"`)) return true;
	// Codex groups the tools of a server under its name, with or without a tail, and leaves their own names as they are.
	const isGrouped = tools.includes(`__${MCP_SERVER}__`) || tools.includes(`__${MCP_SERVER}"`);
	return isGrouped && tools.includes(`${RECALL}"`);
}
