/**
 * Running figures over all messages of a session. The graph keeps one history and adds each message to it, so that the
 * figures outlive the content: they cover evicted messages too.
 */
import { RECALL } from "../recall/recall.ts";
import type { ToolTable } from "../transcript/tool-table.ts";
import {
	type Item,
	type ItemId,
	sumTokens,
	type ToolCall,
	type TranscriptMessage,
} from "../transcript/transcript.ts";
import { type Contents, createContents } from "./shown-contents.ts";

/** Live: it grows with the graph that it belongs to. All sizes in tokens. */
export interface History {
	/** Tokens of the session up to the end of each message. */
	readonly ends: readonly number[];
	/** User turns up to the end of each message. */
	readonly turns: readonly number[];
	/** Tokens that each request added: an answer of the model and everything up to the next one. */
	readonly growth: readonly number[];
	/** Sum of `growth`. */
	readonly grown: number;
	/** Indexes of the model messages that make calls. */
	readonly exchanges: readonly number[];
	/** Indexes of messages without items. They belong to no episode and are always sent. */
	readonly empty: readonly number[];
	/** The last item of the session. */
	readonly newest: ItemId | undefined;
	/** Recall calls by what they asked for, oldest first; see `recallQuery`. */
	readonly recalls: ReadonlyMap<string, readonly ToolCall[]>;
	/** Facts that need the digests of all texts. Reads the digests of new messages only. */
	readonly contents: () => Contents;
}

/** A history that its owner extends in place. */
export interface GrowingHistory extends History {
	readonly ends: number[];
	readonly turns: number[];
	readonly growth: number[];
	grown: number;
	readonly exchanges: number[];
	readonly empty: number[];
	newest: ItemId | undefined;
	readonly recalls: Map<string, ToolCall[]>;
}

/** The history of these messages, which are still empty: the owner of the list calls `addToHistory` for each. */
export function createHistory(messages: readonly TranscriptMessage[], tools: ToolTable): GrowingHistory {
	const ends: number[] = [];
	return {
		...{ ends, turns: [], growth: [], grown: 0, exchanges: [], empty: [] },
		...{ newest: undefined, recalls: new Map() },
		contents: createContents(messages, ends, tools),
	};
}

/** Adds the next message. Linear in its items. */
export function addToHistory(history: GrowingHistory, { author, items }: TranscriptMessage): void {
	const index = history.ends.length;
	const tokens = sumTokens(items);
	history.ends.push((history.ends.at(-1) ?? 0) + tokens);
	history.turns.push((history.turns.at(-1) ?? 0) + (author === "user" && items.length > 0 ? 1 : 0));
	if (author === "model") history.growth.push(0);
	const request = history.growth.length - 1;
	if (request >= 0) {
		history.growth[request] = (history.growth[request] ?? 0) + tokens;
		history.grown += tokens;
	}
	if (author === "model" && items.some(({ type }) => type === "call")) history.exchanges.push(index);
	if (items.length === 0) history.empty.push(index);
	history.newest = items.at(-1)?.id ?? history.newest;
	for (const item of items) if (item.type === "call" && item.tool === RECALL) addRecall(history, item);
}

function addRecall({ recalls }: GrowingHistory, call: ToolCall) {
	const query = recallQuery(call);
	const asked = recalls.get(query);
	if (asked) asked.push(call);
	else recalls.set(query, [call]);
}

/** The key of a recall: its words and its page, as each page is content of its own. */
export function recallQuery({ arguments: { query, page } }: ToolCall): string {
	const words = typeof query === "string" ? query.trim().toLowerCase() : "";
	return JSON.stringify([words, page ?? 1]);
}

/** The history after an answer that consists of this text; the given history does not change. */
export function historyAfterAnswer(history: History, { id, tokens }: Item): History {
	const { ends, turns, growth, grown } = history;
	return {
		...history,
		ends: [...ends, (ends.at(-1) ?? 0) + tokens],
		turns: [...turns, turns.at(-1) ?? 0],
		growth: [...growth, tokens],
		grown: grown + tokens,
		newest: id,
	};
}
