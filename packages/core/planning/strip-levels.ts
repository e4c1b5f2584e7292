/** The items that each strip level takes from an episode (paper 4.4), in addition to the levels below it. */
import type { Episode, Graph } from "../graph/graph.ts";
import type { StripLevel } from "../log/pass.ts";
import { type IsRemoved, isOrphaned } from "../log/whole-calls.ts";
import { outputClass, type ToolTable } from "../transcript/tool-table.ts";
import type { Item, ToolCall } from "../transcript/transcript.ts";
import { evictableIn } from "./evictable.ts";

/** The level that takes a call that failed: `last` is level 4, since a model that cannot see its failure repeats it. */
export type FailedCalls = "last" | "like-others";

/**
 * The items that a level takes from an episode: whole calls with their results, nothing of the exchange in progress,
 * and with them the reasoning and blank texts that led to nothing else.
 * A result is listed only when no call stands for it: it came twice or for nothing. Providers refuse such a result
 * once its call is gone, so it leaves with bulk outputs, before any call that it could belong to.
 */
export function itemsAtLevel(
	graph: Graph,
	episode: Episode,
	level: StripLevel,
	gone: IsRemoved,
	tools: ToolTable,
	failedCalls: FailedCalls = "last",
): readonly Item[] {
	const isEvictable = evictableIn(graph);
	const past = episode.items.filter((item) => isEvictable(item) && !gone(item));
	const items = past.filter((item) => isTaken(graph, item, level, tools, failedCalls));
	const taken = new Set(items.map((item) => item.id));
	const isGone: IsRemoved = (item) => taken.has(item.id) || gone(item);
	const orphans = past.filter((item) => !taken.has(item.id) && isOrphaned(graph, item, isGone));
	return [...items, ...orphans];
}

function isTaken(
	graph: Graph,
	item: Item,
	level: StripLevel,
	tools: ToolTable,
	failedCalls: FailedCalls,
): boolean {
	switch (item.type) {
		case "user":
			return false;
		case "reasoning":
			// In the tool loop in progress providers want it back while anything that it led to is sent.
			return (level === 1 || level === 4) && item.message < graph.openLoop;
		case "call":
			return level === 4 || callLevel(graph, item, tools, failedCalls) === level;
		case "result":
			return (level === 2 || level === 4) && !graph.callOf.has(item.id);
		case "text":
		case "note":
			return level === 4;
		default:
			return item satisfies never;
	}
}

function callLevel(graph: Graph, call: ToolCall, tools: ToolTable, failedCalls: FailedCalls): StripLevel {
	const result = graph.resultOf.get(call.id);
	if (result?.isError && failedCalls === "last") return 4;
	const output = outputClass(tools, call, result?.tokens ?? 0);
	if (output === "bulk") return 2;
	return output === "intermediate" ? 3 : 4;
}

/** Tokens that leave with these items, results of calls included. */
export function tokensWithResults(graph: Graph, items: readonly Item[]): number {
	let tokens = 0;
	for (const item of items) {
		tokens += item.tokens;
		if (item.type === "call") tokens += graph.resultOf.get(item.id)?.tokens ?? 0;
	}
	return tokens;
}
