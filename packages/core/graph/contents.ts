/**
 * Facts about the texts of a session, which the host knows as digests: which call showed each line last, which outputs
 * showed lines again, and when each file was named.
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
	/** When a call last named each file, and last edited it; in tokens from the beginning of the session. */
	readonly namedAt: ReadonlyMap<string, number>;
	readonly editedAt: ReadonlyMap<string, number>;
	readonly sightings: LineSightings;
	/** Results that show no name and no file which no call or result before them showed. */
	readonly withoutNews: ReadonlySet<ItemId>;
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
	const namedAt = new Map<string, number>();
	const editedAt = new Map<string, number>();
	const sightings = createSightings();
	const names = new Set<number | string>();
	const withoutNews = new Set<ItemId>();
	let next = 0;
	return () => {
		for (; next < messages.length; next += 1) {
			const items = messages[next]?.items ?? [];
			for (const item of items) {
				const paths = pathsOf(item);
				setAll(namedAt, paths, ends[next] ?? 0);
				if (paths.length > 0 && isEdit(tools, item)) setAll(editedAt, paths, ends[next] ?? 0);
				if (addNames(names, item) === 0 && item.type === "result") withoutNews.add(item.id);
			}
			addSightings(sightings, items, next, tools);
		}
		return { namedAt, editedAt, sightings, withoutNews };
	};
}

/** Adds the names and files of a call or result; returns how many of them are new, undefined if nobody looked for names. */
function addNames(known: Set<number | string>, item: Item): number | undefined {
	if (item.type !== "call" && item.type !== "result") return undefined;
	const digest = digestOf(item);
	if (!digest?.names) return undefined;
	const before = known.size;
	for (const name of digest.names) known.add(name);
	for (const path of digest.paths) known.add(path);
	return known.size - before;
}

function pathsOf(item: Item): readonly string[] {
	return item.type === "call" ? (digestOf(item)?.paths ?? []) : [];
}

function setAll(times: Map<string, number>, paths: readonly string[], time: number) {
	for (const path of paths) times.set(path, time);
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

export interface LineSightings {
	readonly repeats: readonly RepeatedRead[];
	/** The message of each message's last item. */
	readonly messageOf: ReadonlyMap<ItemId, number>;
	/** The lines of each call and result, as numbers from 0 in the order in which the session showed them first. */
	readonly linesOf: ReadonlyMap<ItemId, readonly number[]>;
	/** The number of each line, by its hash. */
	readonly lineNumbers: ReadonlyMap<number, number>;
}

export interface GrowingSightings extends LineSightings {
	readonly repeats: RepeatedRead[];
	readonly messageOf: Map<ItemId, number>;
	readonly linesOf: Map<ItemId, readonly number[]>;
	readonly lineNumbers: Map<number, number>;
	/** The number of the call that showed each line last, by the number of the line; a result that answers nothing leaves gaps. */
	readonly lastShownBy: number[];
	/** Ids by number. */
	readonly ids: ItemId[];
	/** Calls whose results are still to come, by call id. */
	readonly pending: Map<string, { readonly call: ToolCall; readonly number: number }>;
}

function createSightings(): GrowingSightings {
	return {
		...{ repeats: [], messageOf: new Map(), linesOf: new Map(), lineNumbers: new Map() },
		...{ lastShownBy: [], ids: [], pending: new Map() },
	};
}

/** Adds the items of the next message. Linear in the lines of its digests. */
function addSightings(
	sightings: GrowingSightings,
	items: readonly Item[],
	message: number,
	tools: ToolTable,
): void {
	for (const item of items) addItem(sightings, item, tools);
	const last = items.at(-1);
	if (last) sightings.messageOf.set(last.id, message);
}

function addItem(sightings: GrowingSightings, item: Item, tools: ToolTable) {
	if (item.type !== "call" && item.type !== "result") return;
	const { ids, pending } = sightings;
	const lines = numberLines(sightings, item);
	if (item.type === "call") {
		const number = ids.push(item.id) - 1;
		pending.set(item.callId, { call: item, number });
		addLines(sightings, number, lines);
		return;
	}
	const answered = pending.get(item.callId);
	if (!answered) return;
	pending.delete(item.callId);
	const { call, number } = answered;
	if (!item.isError) addRepeat(sightings, call, item, lines, tools);
	addLines(sightings, number, lines);
}

/** Numbers take a place in a list, which is looked up much faster than a hash. */
function numberLines(
	{ lineNumbers, linesOf }: GrowingSightings,
	item: ToolCall | ToolResult,
): readonly number[] {
	const hashes = digestOf(item)?.lines ?? [];
	for (const hash of hashes) if (!lineNumbers.has(hash)) lineNumbers.set(hash, lineNumbers.size);
	const numbers = hashes.map((hash) => lineNumbers.get(hash) ?? 0);
	linesOf.set(item.id, numbers);
	return numbers;
}

function addRepeat(
	{ lastShownBy, ids, repeats }: GrowingSightings,
	call: ToolCall,
	result: ToolResult,
	lines: readonly number[],
	tools: ToolTable,
) {
	const shownBy = new Map<ItemId, number>();
	let repeated = 0;
	for (const line of lines) {
		const number = lastShownBy[line];
		if (number === undefined) continue;
		const id = ids[number] ?? "";
		shownBy.set(id, (shownBy.get(id) ?? 0) + 1);
		repeated += 1;
	}
	if (repeated === 0 || repeated / lines.length < MIN_REPEATED_SHARE) return;
	if (effectOf(tools, call.tool, call.arguments) !== "reads") return;
	repeats.push({ call, tokens: result.tokens, lines: lines.length, shownBy });
}

function addLines({ lastShownBy }: GrowingSightings, call: number, lines: readonly number[]) {
	for (const line of lines) lastShownBy[line] = call;
}
