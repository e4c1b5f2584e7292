/**
 * Running figures over all messages of a session, and the times that follow from them. The graph keeps one history and
 * adds each message to it.
 */
import type { Growing } from "#basics";
import { RECALL, type ToolTable } from "../transcript/tool-table.ts";
import { type ItemId, sumTokens, type TranscriptMessage } from "../transcript/transcript.ts";
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
	/** The calls of `recall`. */
	readonly recalls: ReadonlySet<ItemId>;
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
		recalls: new Set(),
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
	for (const item of items) if (item.type === "call" && item.tool === RECALL) history.recalls.add(item.id);
}

export type Timeline = ReturnType<typeof timelineOf>;

/** The times as of the last message, in tokens. */
export function timelineOf({ ends, contents }: History) {
	const now = ends.at(-1) ?? 0;
	const { editedAt } = contents();
	return {
		/** Since the end of a message. */
		age: (message: number) => now - (ends[message] ?? 0),
		/** Since a call last edited one of these files; the length of the session if none did. */
		sinceEdited: (paths: readonly string[]) => now - latestOf(editedAt, paths),
	};
}

function latestOf(times: ReadonlyMap<string, number>, paths: readonly string[]): number {
	return paths.reduce((latest, path) => Math.max(latest, times.get(path) ?? 0), 0);
}
