/**
 * Regret: what was read again after a pass had taken it, told by the lines of the outputs. An agent may also read again
 * what it still sees, or what it changed since; only lines whose last showing was gone are counted.
 */
import type { Graph } from "../graph/graph.ts";
import { createIncrementalFold } from "../graph/incremental-fold.ts";
import type { View } from "../log/view.ts";
import { effectOf, type ToolTable } from "../transcript/tool-table.ts";
import {
	type Digest,
	digestOf,
	type Item,
	type ItemId,
	type ToolCall,
	type ToolResult,
} from "../transcript/transcript.ts";
import { createLineTable, type LineTable } from "./line-table.ts";

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
const MIN_SHARE = 0.5;

/** An output of which at least that share had been shown before. */
interface Repeat {
	readonly call: ToolCall;
	readonly tokens: number;
	readonly lines: number;
	/** How many of the lines each earlier call was the last to show, by its id. */
	readonly shownBy: ReadonlyMap<ItemId, number>;
}

interface Shown {
	/** The call that showed a line last, by its number. */
	readonly by: LineTable;
	/** Calls are counted from 1. */
	readonly ids: ItemId[];
	/** By the id that their results carry, until those come. */
	readonly calls: Map<string, { readonly call: ToolCall; readonly number: number }>;
	readonly repeats: Repeat[];
	/** Of the last item of each message, its message. */
	readonly places: Map<ItemId, number>;
}

const readShown = createIncrementalFold<Shown>(
	() => ({ by: createLineTable(), ids: [""], calls: new Map(), repeats: [], places: new Map() }),
	(shown, { items }, index) => {
		for (const item of items) noteItem(shown, item);
		const last = items.at(-1);
		if (last) shown.places.set(last.id, index);
	},
);

function noteItem(shown: Shown, item: Item) {
	if (item.type === "call") {
		const number = shown.ids.push(item.id) - 1;
		shown.calls.set(item.callId, { call: item, number });
		noteLines(shown, number, digestOf(item));
	}
	if (item.type !== "result") return;
	const answered = shown.calls.get(item.callId);
	if (!answered) return;
	shown.calls.delete(item.callId);
	if (!item.isError) noteRepeat(shown, answered.call, item);
	noteLines(shown, answered.number, digestOf(item));
}

function noteRepeat({ by, ids, repeats }: Shown, call: ToolCall, result: ToolResult) {
	const lines = digestOf(result)?.lines ?? [];
	const numbers = lines.map((line) => by.get(line)).filter((number) => number > 0);
	if (numbers.length === 0 || numbers.length / lines.length < MIN_SHARE) return;
	const shownBy = countBy(numbers.map((number) => ids[number] ?? ""));
	repeats.push({ call, tokens: result.tokens, lines: lines.length, shownBy });
}

function noteLines({ by }: Shown, call: number, digest: Digest | undefined) {
	for (const line of digest?.lines ?? []) by.set(line, call);
}

/** The repeats of a session, judged under one view: all but those that came since the last time. */
interface Judged {
	readonly shown: Shown;
	readonly tools: ToolTable;
	readonly regrets: Regret[];
	/** How often what a call shows had been read again, its own time included. */
	readonly times: Map<ItemId, number>;
	next: number;
}

/** Departures only grow, and a pass takes nothing that is read after it: what was judged stays so. */
const judgements = new WeakMap<View["departures"], Judged>();

/** The regrets of a session, oldest first; there are none in a log that does not say when its passes were made. */
export function findRegrets(graph: Graph, view: View, tools: ToolTable): readonly Regret[] {
	return judge(graph, view, tools).regrets;
}

/** How often what a call shows has been read again after a pass, by the call that read it last. */
export function countRegrets(graph: Graph, view: View, tools: ToolTable): ReadonlyMap<ItemId, number> {
	return judge(graph, view, tools).times;
}

function judge({ messages }: Graph, { departures }: View, tools: ToolTable): Judged {
	const shown = readShown(messages);
	const known = judgements.get(departures);
	const isSame = known?.shown === shown && known.tools === tools;
	const judged = isSame ? known : { shown, tools, regrets: [], times: new Map<ItemId, number>(), next: 0 };
	judgements.set(departures, judged);
	for (const repeat of shown.repeats.slice(judged.next)) judgeRepeat(judged, departures, repeat);
	judged.next = shown.repeats.length;
	return judged;
}

function judgeRepeat(
	{ shown, tools, regrets, times }: Judged,
	departures: View["departures"],
	repeat: Repeat,
) {
	const { call, tokens, lines, shownBy } = repeat;
	if (effectOf(tools, call.tool, call.arguments) !== "reads") return;
	const byPass = new Map<number, number>();
	let earlier = 0;
	for (const [id, count] of shownBy) {
		const left = departures.get(id);
		if (!left || (shown.places.get(left.newest) ?? Infinity) >= call.message) continue;
		byPass.set(left.pass, (byPass.get(left.pass) ?? 0) + count);
		earlier = Math.max(earlier, times.get(id) ?? 0);
	}
	const share = sum(byPass.values()) / lines;
	if (share < MIN_SHARE) return;
	times.set(call.id, earlier + 1);
	regrets.push({ call, tokens: Math.round(share * tokens), pass: largest(byPass), times: earlier + 1 });
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
