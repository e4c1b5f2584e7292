/**
 * Facts about the texts of a session, which the host knows as digests. For regret (`log/regret.ts`): reads that showed again
 * what an earlier call was the last to show. For the timeline: when each file was edited. The share of
 * an output that younger ones in sight show again is measured elsewhere, in `planning/superseded.ts`.
 */
import { effectOf, isEdit, type ToolTable } from "../transcript/tool-table.ts";
import {
	digestOf,
	type Item,
	type ItemId,
	type ToolCall,
	type ToolResult,
	type TranscriptMessage,
} from "../transcript/transcript.ts";

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
export function createContents(
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
	/** Number of its lines that each earlier call was the last to show, by the call's id. */
	readonly shownBy: ReadonlyMap<ItemId, number>;
}

/** Reads the lines of one item after the other, and adds the reads that repeat what an earlier call was the last to show. */
function createLineReader(repeats: RepeatedRead[], tools: ToolTable): (item: Item) => void {
	/** The call that showed each line last, by the hash of the line. */
	const lastShownBy = new Map<number, ItemId>();
	/** Calls whose results are still to come, by call id. */
	const pending = new Map<string, ToolCall>();

	function addRepeat(call: ToolCall, { tokens }: ToolResult, lines: readonly number[]) {
		const shownBy = new Map<ItemId, number>();
		const repeated = lines.flatMap((line) => lastShownBy.get(line) ?? []);
		for (const id of repeated) shownBy.set(id, (shownBy.get(id) ?? 0) + 1);
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
		for (const line of lines) lastShownBy.set(line, call.id);
	};
}
