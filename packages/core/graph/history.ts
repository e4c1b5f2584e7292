/**
 * Running figures over all messages of a session, the times that follow from them, and facts about its texts, which the host
 * knows as digests: when each file was edited, and reads that showed again what an earlier call was the last to show (for regret,
 * `log/regret.ts`). The graph keeps one history and adds each message to it. The share of an output that younger ones in sight
 * show again is measured elsewhere, in `planning/superseded.ts`.
 */
import type { Growing } from "#basics";
import { effectOf, isEdit, RECALL, type ToolTable } from "../transcript/tool-table.ts";
import {
	digestOf,
	type Item,
	type ItemId,
	sumTokens,
	type ToolCall,
	type ToolResult,
	type TranscriptMessage,
} from "../transcript/transcript.ts";

/** Live: it grows with the graph that it belongs to. All sizes in tokens. */
export interface History {
	/** Tokens of the session up to the end of each message. */
	readonly ends: readonly number[];
	/** User turns up to the end of each message. */
	readonly turns: readonly number[];
	/** Tokens that each request added: an answer of the model and everything up to the next one. */
	readonly growth: readonly number[];
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
	// A request that failed has an empty answer.
	if (author === "model" && items.length > 0) history.growth.push(0);
	const request = history.growth.length - 1;
	if (request >= 0) history.growth[request] = (history.growth[request] ?? 0) + tokens;
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

export interface Contents {
	/** When a call last edited each file; in tokens from the beginning of the session. */
	readonly editedAt: ReadonlyMap<string, number>;
	/** Reads that showed again what an earlier call was the last to show. */
	readonly repeats: readonly RepeatedRead[];
	/** The message of each message's last item. */
	readonly messageOf: ReadonlyMap<ItemId, number>;
}

/**
 * A reader of the contents of a list that only grows. `ends` are the tokens up to the end of each message. Digests are
 * made when they are first read, so the reader waits until somebody asks, and then reads what is new.
 */
function createContents(
	messages: readonly TranscriptMessage[],
	ends: readonly number[],
	tools: ToolTable,
): () => Contents {
	const editedAt = new Map<string, number>();
	const repeats: RepeatedRead[] = [];
	const messageOf = new Map<ItemId, number>();
	const addLines = createLineReader(repeats, tools);
	let next = 0;
	function addItem(item: Item, time: number) {
		if (item.type === "call" && isEdit(tools, item)) {
			for (const path of digestOf(item)?.paths ?? []) editedAt.set(path, time);
		}
		addLines(item);
	}
	return () => {
		for (; next < messages.length; next += 1) {
			const items = messages[next]?.items ?? [];
			for (const item of items) addItem(item, ends[next] ?? 0);
			const last = items.at(-1);
			if (last) messageOf.set(last.id, next);
		}
		return { editedAt, repeats, messageOf };
	};
}

/** An output shows content again if at least this share of its lines was shown before. */
export const MIN_REPEATED_SHARE = 0.5;

/** A read whose output was shown before for the most part. */
export interface RepeatedRead {
	readonly call: ToolCall;
	/** Tokens of the output. */
	readonly tokens: number;
	readonly lines: number;
	/** Number of its lines that each earlier call was the last to show. */
	readonly shownBy: ReadonlyMap<ToolCall, number>;
}

/** Reads the lines of one item after the other, and adds the reads that repeat what an earlier call was the last to show. */
function createLineReader(repeats: RepeatedRead[], tools: ToolTable): (item: Item) => void {
	/** The call that showed each line last, by the hash of the line. */
	const lastShownBy = new Map<number, ToolCall>();
	/** Calls whose results are still to come, by call id. */
	const pending = new Map<string, ToolCall>();

	function addRepeat(call: ToolCall, { tokens }: ToolResult, lines: readonly number[]) {
		const shownBy = new Map<ToolCall, number>();
		const repeated = lines.flatMap((line) => lastShownBy.get(line) ?? []);
		for (const earlier of repeated) shownBy.set(earlier, (shownBy.get(earlier) ?? 0) + 1);
		if (repeated.length === 0 || repeated.length / lines.length < MIN_REPEATED_SHARE) return;
		if (effectOf(tools, call.tool, call.arguments) !== "reads") return;
		repeats.push({ call, tokens, lines: lines.length, shownBy });
	}

	return (item) => {
		if (item.type !== "call" && item.type !== "result") return;
		const call = item.type === "call" ? item : pending.get(item.callId);
		if (!call) return;
		const lines = digestOf(item)?.lines ?? [];
		if (item.type === "call") pending.set(item.callId, item);
		else {
			pending.delete(item.callId);
			if (!item.isError) addRepeat(call, item, lines);
		}
		for (const line of lines) lastShownBy.set(line, call);
	};
}
