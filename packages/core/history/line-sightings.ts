/** Which call showed each line of a session last, and which outputs showed lines again. */
import { effectOf, type ToolTable } from "../transcript/tool-table.ts";
import {
	digestOf,
	type Item,
	type ItemId,
	type ToolCall,
	type ToolResult,
} from "../transcript/transcript.ts";

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

export function createSightings(): GrowingSightings {
	return {
		...{ repeats: [], messageOf: new Map(), linesOf: new Map(), lineNumbers: new Map() },
		...{ lastShownBy: [], ids: [], pending: new Map() },
	};
}

/** Adds the items of the next message. Linear in the lines of its digests. */
export function addSightings(
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
