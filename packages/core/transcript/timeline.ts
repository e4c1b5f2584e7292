/** How long ago things were: in tokens of the whole session, what was evicted included, and in user turns. */
import type { Graph } from "../graph/graph.ts";
import { createIncrementalFold } from "../graph/incremental-fold.ts";
import { effectOf, type ToolTable, traitsOf } from "./tool-table.ts";
import { digestOf, type Item, sumTokens, type TranscriptMessage } from "./transcript.ts";

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

interface Clock {
	/** Tokens up to the end of each message, and user turns. */
	readonly ends: number[];
	readonly turnsBefore: number[];
	/** When a file was last named, and edited. */
	readonly named: Map<string, number>;
	readonly edited: Map<string, number>;
	now: number;
	turns: number;
}

/** Read the times of a session. Linear in the messages that came since they were last read. */
export function readTimeline({ messages }: Graph, tools: ToolTable): Timeline {
	const { ends, turnsBefore, named, edited, now, turns } = clockReading(tools)(messages);
	return {
		age: (message) => now - (ends[message] ?? 0),
		turns: (message) => turns - (turnsBefore[message] ?? 0),
		sinceNamed: (paths) => now - latestOf(named, paths),
		sinceEdited: (paths) => now - latestOf(edited, paths),
	};
}

const readings = new WeakMap<ToolTable, ReturnType<typeof createIncrementalFold<Clock>>>();

/** What an edit is, the table says. */
function clockReading(tools: ToolTable) {
	const known = readings.get(tools);
	if (known) return known;
	const start = (): Clock => ({
		...{ ends: [], turnsBefore: [], now: 0, turns: 0 },
		...{ named: new Map(), edited: new Map() },
	});
	const reading = createIncrementalFold(start, (clock, message) => advance(clock, message, tools));
	readings.set(tools, reading);
	return reading;
}

function advance(clock: Clock, { author, items }: TranscriptMessage, tools: ToolTable) {
	clock.now += sumTokens(items);
	if (author === "user" && items.length > 0) clock.turns += 1;
	clock.ends.push(clock.now);
	clock.turnsBefore.push(clock.turns);
	for (const item of items) {
		const paths = pathsOf(item);
		setAll(clock.named, paths, clock.now);
		if (paths.length > 0 && isEdit(tools, item)) setAll(clock.edited, paths, clock.now);
	}
}

function pathsOf(item: Item): readonly string[] {
	return item.type === "call" ? (digestOf(item)?.paths ?? []) : [];
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
