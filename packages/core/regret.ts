/**
 * Regret: what was read again after a pass had taken it, told by the lines of the outputs. An agent may also read again
 * what it still sees, or what it changed since; only lines that nothing in sight showed are counted.
 */
import type { Graph } from "./graph.ts";
import type { View } from "./log.ts";
import { effectOf, type ToolTable } from "./tool-table.ts";
import type { ItemId, ToolCall, ToolResult } from "./transcript.ts";

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

/** Where a line was seen last. */
interface Sighting {
	/** Index of the last message before the pass that took it; infinite while it is in sight. */
	readonly goneAt: number;
	readonly pass: number;
	/** How often it was read again by now. */
	readonly times: number;
}

/** The regrets of a session, oldest first. Linear in its lines; a log of before this was kept has none. */
export function findRegrets(graph: Graph, view: View, tools: ToolTable): readonly Regret[] {
	if (view.departures.size === 0) return [];
	const departureOf = createDepartures(graph, view);
	const seen = new Map<number, Sighting>();
	const regrets: Regret[] = [];
	for (const { call, result } of exchangesOf(graph)) {
		if (!result) {
			noteLines(seen, call.digest?.lines ?? [], { ...departureOf(call.id), times: 0 });
			continue;
		}
		const regret = compare(call, result, seen, tools);
		if (regret) regrets.push(regret);
		noteLines(seen, result.digest?.lines ?? [], { ...departureOf(call.id), times: regret?.times ?? 0 });
	}
	return regrets;
}

/** In the order of the session: each call by itself where it was made, and again with its result where that came. */
function* exchangesOf({ messages, callOf }: Graph): Generator<{ call: ToolCall; result?: ToolResult }> {
	const calls = new Map<ItemId, ToolCall>();
	for (const { items } of messages) {
		for (const item of items) {
			if (item.type === "call") {
				calls.set(item.id, item);
				yield { call: item };
			}
			const call = item.type === "result" ? calls.get(callOf.get(item.id) ?? "") : undefined;
			if (call && item.type === "result") yield { call, result: item };
		}
	}
}

/** Where each item left, as an index of the session as it is now. */
function createDepartures(
	{ messages }: Graph,
	{ departures }: View,
): (id: ItemId) => Pick<Sighting, "goneAt" | "pass"> {
	const wanted = new Set([...departures.values()].map(({ newest }) => newest));
	const places = new Map<ItemId, number>();
	for (const { items } of messages) {
		for (const { id, message } of items) if (wanted.has(id)) places.set(id, message);
	}
	return (id) => {
		const left = departures.get(id);
		return { goneAt: left ? (places.get(left.newest) ?? Infinity) : Infinity, pass: left?.pass ?? 0 };
	};
}

function noteLines(seen: Map<number, Sighting>, lines: readonly number[], sighting: Sighting) {
	for (const line of lines) {
		const earlier = seen.get(line);
		const times = Math.max(sighting.times, earlier?.times ?? 0);
		const latest = earlier && earlier.goneAt > sighting.goneAt ? earlier : sighting;
		seen.set(line, { ...latest, times });
	}
}

/** Whether this output shows again what had gone before the call was made. */
function compare(
	call: ToolCall,
	{ digest, isError, tokens }: ToolResult,
	seen: ReadonlyMap<number, Sighting>,
	tools: ToolTable,
): Regret | undefined {
	const lines = digest?.lines ?? [];
	if (isError || lines.length === 0 || effectOf(tools, call.tool, call.arguments) !== "reads")
		return undefined;
	const again = lines.flatMap((line) => {
		const sighting = seen.get(line);
		return sighting && sighting.goneAt < call.message ? [sighting] : [];
	});
	const share = again.length / lines.length;
	if (share < LEAST_SHARE) return undefined;
	const times = 1 + again.reduce((most, sighting) => Math.max(most, sighting.times), 0);
	return { call, tokens: Math.round(share * tokens), pass: mostFrequent(again), times };
}

function mostFrequent(sightings: readonly Sighting[]): number {
	const counts = new Map<number, number>();
	for (const { pass } of sightings) counts.set(pass, (counts.get(pass) ?? 0) + 1);
	return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best), [0, 0])[0];
}
