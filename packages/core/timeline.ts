/** How long ago things were: in tokens of the whole session, what was evicted included, and in user turns. */
import type { Graph } from "./graph.ts";
import { effectOf, type ToolTable, traitsOf } from "./tool-table.ts";
import { type Item, sumTokens } from "./transcript.ts";

/** All times in tokens but for `turns`. */
export interface Timeline {
	/** Since the end of a message. */
	age(message: number): number;
	/** User turns since a message. */
	turns(message: number): number;
	/** Since a call last named one of these files; the whole session when none did. */
	sinceNamed(paths: readonly string[]): number;
	/** Since a call last edited one of these files; the whole session when none did. */
	sinceEdited(paths: readonly string[]): number;
}

/** Read the times of a session. Linear in its messages. */
export function readTimeline({ messages }: Graph, tools: ToolTable): Timeline {
	const ends: number[] = [];
	const turnsBefore: number[] = [];
	const named = new Map<string, number>();
	const edited = new Map<string, number>();
	let now = 0;
	let turns = 0;
	for (const { author, items } of messages) {
		now += sumTokens(items);
		if (author === "person" && items.length > 0) turns += 1;
		ends.push(now);
		turnsBefore.push(turns);
		for (const item of items) {
			const paths = pathsOf(item);
			setAll(named, paths, now);
			if (paths.length > 0 && isEdit(tools, item)) setAll(edited, paths, now);
		}
	}
	return {
		age: (message) => now - (ends[message] ?? 0),
		turns: (message) => turns - (turnsBefore[message] ?? 0),
		sinceNamed: (paths) => now - latestOf(named, paths),
		sinceEdited: (paths) => now - latestOf(edited, paths),
	};
}

function pathsOf(item: Item): readonly string[] {
	return item.type === "call" ? (item.digest?.paths ?? []) : [];
}

function setAll(times: Map<string, number>, paths: readonly string[], now: number) {
	for (const path of paths) times.set(path, now);
}

function latestOf(times: ReadonlyMap<string, number>, paths: readonly string[]): number {
	return paths.reduce((latest, path) => Math.max(latest, times.get(path) ?? 0), 0);
}

/** Whether a call writes what it carries into files: an edit tool, or a patch in Codex's format. */
export function isEdit(tools: ToolTable, item: Item): boolean {
	if (item.type !== "call") return false;
	const { tool, arguments: args } = item;
	if (Object.values(args).some((value) => typeof value === "string" && value.includes("*** Begin Patch"))) {
		return true;
	}
	return traitsOf(tools, tool)?.output === "record" && effectOf(tools, tool, args) === "writes";
}
