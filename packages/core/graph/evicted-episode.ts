/** The record that remains of an episode once nothing of it is sent: the content of its line in the episode index. */

import { digestOf, type Item, type ToolCall, type ToolResult } from "../transcript/transcript.ts";
import type { Episode, EvictedEpisode, FileCounts } from "./graph.ts";

/** The record that stands for an episode. Linear in its items. */
export function recordOf({ id, name, origin, tokens, place, description, items }: Episode): EvictedEpisode {
	return { id, name, origin, tokens, place, description, files: countFiles(items) };
}

/** How often these items name each file. */
export function countFiles(items: readonly Item[]): FileCounts {
	return {
		worked: countPaths(items.filter((item) => item.type === "call")),
		shown: countPaths(items.filter((item) => item.type === "result")),
	};
}

function countPaths(items: readonly (ToolCall | ToolResult)[]): ReadonlyMap<string, number> {
	const counts = new Map<string, number>();
	for (const path of items.flatMap((item) => digestOf(item)?.paths ?? [])) {
		counts.set(path, (counts.get(path) ?? 0) + 1);
	}
	return counts;
}
