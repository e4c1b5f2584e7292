/** The eviction log as entries of pi's session file: written by us, read back as data that anyone may have touched. */

import { type Descriptions, type EpisodeId, isPrefixChange, isRecord, type Pass } from "#core";
import type { Prefix } from "./prefix.ts";
import { isCount, readPass } from "./read-pass.ts";

/** The custom entry types that we append to a session. */
export const PASS_ENTRY = "cwl.pass";
/** Takes the last pass that still holds back. */
export const UNDO_ENTRY = "cwl.undo";
export const PIN_ENTRY = "cwl.pin";
export const DESCRIPTION_ENTRY = "cwl.description";
export const STEERING_ENTRY = "cwl.steering";

/** A request began in another way than the one before it. */
export const PREFIX_ENTRY = "cwl.prefix";

/** The prefix of a request, and the thinking that became invalid with the one before. */
export interface PrefixEntry extends Prefix {
	readonly version: 1;
	readonly change?: Pass;
}

/** A pass was taken back. */
export interface UndoEntry {
	readonly version: 1;
	/** The thinking that this made invalid; absent in entries of older versions, and where there is none. */
	readonly change?: Pass;
}

/** A person's own words for an episode, "" for none. */
export interface DescriptionEntry {
	/** The id of an episode. */
	readonly episode: string;
	readonly text: string;
}

export interface PinEntry {
	/** The id of an episode. */
	readonly episode: string;
	readonly isPinned: boolean;
}

/** Settings that a user changed by command for this session; kept on the branch like the passes. */
export interface Steering {
	readonly enabled?: boolean;
	/** As people write it: `60k`, `40%`. */
	readonly budget?: string;
	readonly policy?: string;
	/** The goal and constraints, "" for none. */
	readonly goal?: string;
	/** The goal that was marked done. */
	readonly doneGoal?: string;
}

export interface RestoredLog {
	/** Those that hold: a pass that was taken back is not among them. */
	readonly passes: readonly Pass[];
	/** Of the last request; undefined before the first. */
	readonly prefix: Prefix | undefined;
	/** Ids of the episodes that were brought back since the last pass. */
	readonly spared: ReadonlySet<EpisodeId>;
	readonly pinned: ReadonlySet<EpisodeId>;
	readonly descriptions: Descriptions;
	readonly steering: Steering;
	/** Entries of ours that could not be read: another version wrote them, or the file was damaged. */
	readonly unreadable: number;
}

type Entry = { readonly type: string; readonly customType?: unknown; readonly data?: unknown };

/** Read our entries from a branch, oldest first. Never throws. */
export function readLogEntries(branch: readonly Entry[]): RestoredLog {
	const log: GrowingLog = {
		passes: [],
		prefix: undefined,
		spared: new Set(),
		pinned: new Set(),
		descriptions: new Map(),
		steering: {},
		unreadable: 0,
	};
	for (const entry of branch) {
		const read = entry.type === "custom" ? readers.get(String(entry.customType)) : undefined;
		if (read && !read(log, entry.data)) log.unreadable += 1;
	}
	return log;
}

interface GrowingLog extends RestoredLog {
	readonly passes: Pass[];
	prefix: Prefix | undefined;
	readonly spared: Set<EpisodeId>;
	readonly pinned: Set<EpisodeId>;
	readonly descriptions: Map<EpisodeId, string>;
	steering: Steering;
	unreadable: number;
}

/** By entry type: takes an entry into the log and answers whether it could be read. */
const readers: ReadonlyMap<string, (log: GrowingLog, data: unknown) => boolean> = new Map([
	[PASS_ENTRY, takePass],
	[UNDO_ENTRY, takeUndo],
	[PREFIX_ENTRY, takePrefix],
	[PIN_ENTRY, takePin],
	[DESCRIPTION_ENTRY, takeDescription],
	[STEERING_ENTRY, takeSteering],
]);

function takePass(log: GrowingLog, data: unknown): boolean {
	const pass = readPass(data);
	if (!pass) return false;
	log.passes.push(pass);
	if (!isPrefixChange(pass)) log.spared.clear();
	return true;
}

/** Records of a changed prefix stay: the thinking that they took is invalid whatever else comes back. */
function takeUndo({ passes, spared }: GrowingLog, data: unknown): boolean {
	if (!isRecord(data) || data.version !== 1) return false;
	const change = data.change === undefined ? undefined : readPass(data.change);
	const last = passes.findLastIndex((pass) => !isPrefixChange(pass));
	const [undone] = last < 0 ? [] : passes.splice(last, 1);
	for (const { episode } of undone?.strips ?? []) spared.add(episode);
	if (change) passes.push(change);
	return change !== undefined || data.change === undefined;
}

function takePrefix(log: GrowingLog, data: unknown): boolean {
	if (!isRecord(data) || data.version !== 1) return false;
	const { isOn, head, compaction } = data;
	if (typeof isOn !== "boolean" || typeof head !== "string" || !isCount(compaction)) return false;
	const change = data.change === undefined ? undefined : readPass(data.change);
	log.prefix = { isOn, head, compaction };
	if (change) log.passes.push(change);
	return change !== undefined || data.change === undefined;
}

function takePin({ pinned }: GrowingLog, data: unknown): boolean {
	if (!isRecord(data)) return false;
	const { episode, isPinned } = data;
	if (typeof episode !== "string" || typeof isPinned !== "boolean") return false;
	if (isPinned) pinned.add(episode);
	else pinned.delete(episode);
	return true;
}

function takeDescription({ descriptions }: GrowingLog, data: unknown): boolean {
	if (!isRecord(data)) return false;
	const { episode, text } = data;
	if (typeof episode !== "string" || typeof text !== "string") return false;
	descriptions.set(episode, text);
	return true;
}

function takeSteering(log: GrowingLog, data: unknown): boolean {
	const change = readSteering(data);
	if (change) log.steering = { ...log.steering, ...change };
	return change !== undefined;
}

/** Checks only the form: `settings.ts` decides if a steering value may be used, as for every other source. */
function readSteering(data: unknown): Steering | undefined {
	if (!isRecord(data)) return undefined;
	const { enabled } = data;
	if (enabled !== undefined && typeof enabled !== "boolean") return undefined;
	const texts: { -readonly [K in TextKey]?: string } = {};
	for (const key of textKeys) {
		const value = data[key];
		if (value === undefined) continue;
		if (typeof value !== "string") return undefined;
		texts[key] = value;
	}
	return { ...(enabled !== undefined && { enabled }), ...texts };
}

const textKeys = ["budget", "policy", "goal", "doneGoal"] as const satisfies readonly (keyof Steering)[];
type TextKey = (typeof textKeys)[number];
