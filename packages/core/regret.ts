/**
 * Regret: what was read again after a pass had taken it, told by the lines of the outputs. An agent may also read again
 * what it still sees, or what it changed since; only lines whose last showing was gone are counted.
 */
import type { Graph } from "./graph.ts";
import type { View } from "./log.ts";
import { createReading } from "./reading.ts";
import { effectOf, type ToolTable } from "./tool-table.ts";
import type { Digest, Item, ItemId, ToolCall } from "./transcript.ts";

export interface Regret {
	/** What read it again, a recall included. */
	readonly call: ToolCall;
	/** Of its result, in the share of its lines that had been evicted. */
	readonly tokens: number;
	/** The pass, counted from 1, that took the most of those lines. */
	readonly pass: number;
	/** How often the same has been read again, this time included. */
	readonly times: number;
}

/** Of an output, this share of the lines has to come again: what is new for the most part was not read for the rest. */
const LEAST_SHARE = 0.5;

/** An output of which some lines had been shown before. */
interface Repeat {
	readonly call: ToolCall;
	readonly tokens: number;
	readonly lines: number;
	/** How many of the lines each earlier call was the last to show, by its id. */
	readonly shownBy: ReadonlyMap<ItemId, number>;
}

interface Shown {
	/** The call that showed a line last. */
	readonly by: Map<number, ItemId>;
	/** By the id that their results carry. */
	readonly calls: Map<string, ToolCall>;
	readonly repeats: Repeat[];
	/** The message of each item. */
	readonly places: Map<ItemId, number>;
}

const readShown = createReading<Shown>(
	() => ({ by: new Map(), calls: new Map(), repeats: [], places: new Map() }),
	(shown, { items }) => {
		for (const item of items) noteItem(shown, item);
	},
);

function noteItem(shown: Shown, item: Item) {
	shown.places.set(item.id, item.message);
	if (item.type === "call") {
		shown.calls.set(item.callId, item);
		noteLines(shown, item, item.digest);
	}
	if (item.type !== "result") return;
	const call = shown.calls.get(item.callId);
	if (!call) return;
	const lines = item.digest?.lines ?? [];
	const shownBy = countBy(lines.flatMap((line) => shown.by.get(line) ?? []));
	if (shownBy.size > 0 && !item.isError) {
		shown.repeats.push({ call, tokens: item.tokens, lines: lines.length, shownBy });
	}
	noteLines(shown, call, item.digest);
}

function noteLines({ by }: Shown, { id }: ToolCall, digest: Digest | undefined) {
	for (const line of digest?.lines ?? []) by.set(line, id);
}

/** The regrets of a session, oldest first; there are none in a log that does not say when its passes were made. */
export function findRegrets({ messages }: Graph, { departures }: View, tools: ToolTable): readonly Regret[] {
	if (departures.size === 0) return [];
	const { repeats, places } = readShown(messages);
	const times = new Map<ItemId, number>();
	return repeats.flatMap(({ call, tokens, lines, shownBy }) => {
		if (effectOf(tools, call.tool, call.arguments) !== "reads") return [];
		const byPass = new Map<number, number>();
		let earlier = 0;
		for (const [id, count] of shownBy) {
			const left = departures.get(id);
			if (!left || (places.get(left.newest) ?? Infinity) >= call.message) continue;
			byPass.set(left.pass, (byPass.get(left.pass) ?? 0) + count);
			earlier = Math.max(earlier, times.get(id) ?? 0);
		}
		const share = sum(byPass.values()) / lines;
		if (share < LEAST_SHARE) return [];
		times.set(call.id, earlier + 1);
		return [{ call, tokens: Math.round(share * tokens), pass: largest(byPass), times: earlier + 1 }];
	});
}

function countBy(ids: readonly ItemId[]): ReadonlyMap<ItemId, number> {
	const counts = new Map<ItemId, number>();
	for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
	return counts;
}

function sum(counts: Iterable<number>): number {
	let total = 0;
	for (const count of counts) total += count;
	return total;
}

function largest(counts: ReadonlyMap<number, number>): number {
	return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best), [0, 0])[0];
}
