/** The eviction log as entries of pi's session file: written by us, read back as data that anyone may have touched. */

import {
	type Blocker,
	type Decision,
	type Descriptions,
	type EpisodeId,
	type IndexLine,
	isPrefixChange,
	isRecord,
	type Marker,
	type Pass,
	passReasons,
	type Release,
	type Strip,
	type StripLevel,
	type UnknownRecord,
} from "#core";
import { blockerFromText } from "../screen/blocker-text.ts";
import type { Prefix } from "./prefix.ts";
import { isOwnRelease } from "./release.ts";

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

function readAll<T>(values: unknown, read: (value: unknown) => T | undefined): readonly T[] | undefined {
	if (!Array.isArray(values)) return undefined;
	const all = values.map(read);
	const good = all.filter((value) => value !== undefined);
	return good.length === all.length ? good : undefined;
}

function readPass(data: unknown): Pass | undefined {
	if (!isRecord(data) || data.version !== 1) return undefined;
	const { policy, budget, before, after } = data;
	const strips = readAll(data.strips, readStrip);
	const blockers = readAll(data.blockers, readBlocker);
	const folds = readAll(data.folds ?? [], readIndexLine);
	const releases = readAll(data.releases ?? [], readRelease);
	const lastResort = readAll(data.lastResort ?? [], readText);
	if (typeof policy !== "string" || !isCount(budget) || !isCount(before) || !isCount(after)) return undefined;
	if (!strips || !blockers || !folds || !releases || !lastResort) return undefined;
	const sizes = { version: 1 as const, policy, budget, before, after };
	const rare = {
		...(folds.length > 0 && { folds }),
		...(releases.length > 0 && { releases }),
		...(lastResort.length > 0 && { lastResort }),
		...(isCount(data.forfeited) && { forfeited: data.forfeited }),
		...(typeof data.newest === "string" && { newest: data.newest }),
	};
	const decision = readDecision(data.decision);
	return { ...sizes, strips, ...rare, blockers, ...(decision && { decision }) };
}

/** The figures of a pass are told, not acted on: those that cannot be read are left out. */
function readDecision(data: unknown): Decision | undefined {
	if (!isRecord(data)) return undefined;
	const { freed, rewritten, growth, requestsToNext, paidBackAfter } = data;
	const reason = passReasons.find((each) => each === data.reason);
	if (!reason) return undefined;
	if (!isCount(freed) || !isCount(rewritten) || !isCount(growth) || !isCount(requestsToNext))
		return undefined;
	const figures: Decision = { reason, freed, rewritten, growth, requestsToNext };
	return isCount(paidBackAfter) ? { ...figures, paidBackAfter } : figures;
}

function readIndexLine(data: unknown): IndexLine | undefined {
	if (!isRecord(data)) return undefined;
	const episodes = readAll(data.episodes, readText);
	const marker = readMarker(data.marker);
	return episodes && marker && { episodes, marker };
}

function readRelease(data: unknown): Release | undefined {
	if (!isRecord(data)) return undefined;
	const { item, head, tail, mark, tokens } = data;
	if (typeof item !== "string" || typeof mark !== "string") return undefined;
	if (!isCount(head) || !isCount(tail) || !isCount(tokens)) return undefined;
	const release = { item, head, tail, mark, tokens };
	return isOwnRelease(release) ? release : undefined;
}

function readStrip(data: unknown): Strip | undefined {
	if (!isRecord(data)) return undefined;
	const { episode, level, tokens } = data;
	const items = readAll(data.items, readText);
	const marker = data.marker === undefined ? undefined : readMarker(data.marker);
	if (typeof episode !== "string" || !isLevel(level) || !isCount(tokens) || !items) return undefined;
	if (data.marker !== undefined && !marker) return undefined;
	return { episode, level, items, tokens, ...(marker && { marker }) };
}

/**
 * Our lines begin with a bracket and hold no character that would end them, steer a terminal or turn the text; names,
 * files and descriptions in them are bounded.
 */
const OUR_LINE = /^\[(?!.*[\p{Cc}\u200b-\u200f\u2028-\u202e\u2066-\u2069]).{0,20000}$/su;

function readMarker(data: unknown): Marker | undefined {
	if (!isRecord(data)) return undefined;
	const { anchor, text, tokens } = data;
	if (typeof anchor !== "string" || typeof text !== "string" || !isCount(tokens)) return undefined;
	return OUR_LINE.test(text) ? { anchor, text, tokens } : undefined;
}

function readBlocker(data: unknown): Blocker | undefined {
	if (!isRecord(data)) return undefined;
	const { code, tokens, what, remedy } = data;
	if (!isCount(tokens)) return undefined;
	if (code === "open-episode") return readOpenEpisode(data, tokens);
	if (code === "pinned-episodes") return readPinnedEpisodes(data, tokens);
	if (code === "fixed" || code === "prologue" || code === "user-turns" || code === "in-use")
		return { code, tokens };
	// Versions up to 0.1 kept the wording.
	if (typeof what !== "string" || typeof remedy !== "string") return undefined;
	return blockerFromText({ what, tokens, remedy });
}

function readOpenEpisode({ episode, origin }: UnknownRecord, tokens: number): Blocker | undefined {
	if (typeof episode !== "string" || (origin !== "declared" && origin !== "inferred")) return undefined;
	return { code: "open-episode", episode, origin, tokens };
}

function readPinnedEpisodes({ count, largest }: UnknownRecord, tokens: number): Blocker | undefined {
	if (!isCount(count) || typeof largest !== "string") return undefined;
	return { code: "pinned-episodes", count, largest, tokens };
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

function readText(value: unknown): string | undefined {
	return typeof value === "string" ? value : undefined;
}

function isCount(value: unknown): value is number {
	return typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}

function isLevel(value: unknown): value is StripLevel {
	return value === 1 || value === 2 || value === 3 || value === 4;
}
