/**
 * Running figures over all messages of a session, and the times that follow from them. The graph keeps one history and
 * adds each message to it.
 */
import type { Growing } from "#basics";
import { RECALL, type ToolTable } from "../transcript/tool-table.ts";
import { type ItemId, sumTokens, type ToolCall, type TranscriptMessage } from "../transcript/transcript.ts";
import { type Contents, createContents } from "./contents.ts";

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
	/** The last item of the session. */
	readonly newest: ItemId | undefined;
	/** Recall calls by what they asked for, oldest first; see `recallQuery`. */
	readonly recalls: ReadonlyMap<string, readonly ToolCall[]>;
	/** Facts that need the digests of all texts. Reads the digests of new messages only. */
	readonly contents: () => Contents;
}

/** The history of these messages, which are still empty: the owner of the list calls `addToHistory` for each. */
export function createHistory(messages: readonly TranscriptMessage[], tools: ToolTable): Growing<History> {
	const ends: number[] = [];
	return {
		ends,
		turns: [],
		growth: [],
		grown: 0,
		newest: undefined,
		recalls: new Map(),
		contents: createContents(messages, ends, tools),
	};
}

/** Adds the next message. Linear in its items. */
export function addToHistory(history: Growing<History>, { author, items }: TranscriptMessage): void {
	const tokens = sumTokens(items);
	history.ends.push((history.ends.at(-1) ?? 0) + tokens);
	history.turns.push((history.turns.at(-1) ?? 0) + (author === "user" && items.length > 0 ? 1 : 0));
	if (author === "model") history.growth.push(0);
	const request = history.growth.length - 1;
	if (request >= 0) {
		history.growth[request] = (history.growth[request] ?? 0) + tokens;
		history.grown += tokens;
	}
	history.newest = items.at(-1)?.id ?? history.newest;
	for (const item of items) if (item.type === "call" && item.tool === RECALL) addRecall(history, item);
}

function addRecall({ recalls }: Growing<History>, call: ToolCall) {
	const query = recallQuery(call);
	recalls.set(query, [...(recalls.get(query) ?? []), call]);
}

/** The key of a recall: its words and its page, as each page is content of its own. */
function recallQuery({ arguments: { query, page } }: ToolCall): string {
	const words = typeof query === "string" ? query.trim().toLowerCase() : "";
	return JSON.stringify([words, page ?? 1]);
}

export type Timeline = ReturnType<typeof timelineOf>;

/** The times as of the last message; all in tokens except `turns`. */
export function timelineOf({ ends, turns, contents }: History) {
	const now = ends.at(-1) ?? 0;
	const turnsNow = turns.at(-1) ?? 0;
	const { namedAt, editedAt } = contents();
	return {
		/** Since the end of a message. */
		age: (message: number) => now - (ends[message] ?? 0),
		/** User turns since a message. */
		turns: (message: number) => turnsNow - (turns[message] ?? 0),
		/** Since a call last named one of these files; the length of the session if none did. */
		sinceNamed: (paths: readonly string[]) => now - latestOf(namedAt, paths),
		/** Since a call last edited one of these files; the length of the session if none did. */
		sinceEdited: (paths: readonly string[]) => now - latestOf(editedAt, paths),
	};
}

function latestOf(times: ReadonlyMap<string, number>, paths: readonly string[]): number {
	return paths.reduce((latest, path) => Math.max(latest, times.get(path) ?? 0), 0);
}

/** `again`: the newest copy of content that was recalled more than once. `once`: every other copy. */
type Recalled = "once" | "again";

/** Classifies the recalls of a session, those whose results were evicted included. */
export function readRecalls({ recalls }: History): (call: ToolCall) => Recalled | undefined {
	return (call) => {
		if (call.tool !== RECALL) return undefined;
		const asked = recalls.get(recallQuery(call)) ?? [];
		return asked.length > 1 && asked.at(-1)?.id === call.id ? "again" : "once";
	};
}
