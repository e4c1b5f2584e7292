/** The eviction log as entries of pi's session file: written by us, read back as data that anyone may have touched. */

import { Type } from "typebox";
import { Check } from "typebox/value";
import type { EpisodeId } from "#core/graph";
import { type Pass, touchedEpisodes } from "#core/log";
import { type Descriptions, isPrefixChange } from "#core/planning";
import { OutputLimitsSchema, type OutputRule } from "../outputs/output-limits.ts";
import type { Prefix } from "./prefix.ts";
import { Count, readPass } from "./read-pass.ts";

/** The custom entry types that we append to a session. */
export const PASS_ENTRY = "cwl.pass";
/** Takes the last pass that still holds back. */
export const UNDO_ENTRY = "cwl.undo";
export const PIN_ENTRY = "cwl.pin";
export const DESCRIPTION_ENTRY = "cwl.description";
export const STEERING_ENTRY = "cwl.steering";
/** An `OutputRule`: how large outputs may be that arrive from here on. */
export const OUTPUTS_ENTRY = "cwl.outputs";

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
	/** The task in progress, "" for none; constraints of the user's, and those that the model noted. */
	readonly task?: string;
	readonly constraints?: readonly string[];
	readonly notedConstraints?: readonly string[];
	/** Only ever turned off: a session file cannot turn the project memory on. */
	readonly memory?: false;
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
	/** Oldest first. */
	readonly outputs: readonly OutputRule[];
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
		outputs: [],
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
	readonly outputs: OutputRule[];
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
	[OUTPUTS_ENTRY, takeOutputs],
]);

function takePass(log: GrowingLog, data: unknown): boolean {
	const pass = readPass(data);
	if (!pass) return false;
	log.passes.push(pass);
	if (!isPrefixChange(pass)) log.spared.clear();
	return true;
}

const Flags = { version: Type.Literal(1), change: Type.Optional(Type.Unknown()) };
const UndoShape = Type.Object(Flags);
const PrefixShape = Type.Object({ ...Flags, isOn: Type.Boolean(), head: Type.String(), compaction: Count });
const PinShape = Type.Object({ episode: Type.String(), isPinned: Type.Boolean() });
const DescriptionShape = Type.Object({ episode: Type.String(), text: Type.String() });
const OutputsShape = Type.Object({
	version: Type.Literal(1),
	after: Type.String(),
	limits: OutputLimitsSchema,
});
const SteeringShape = Type.Object({
	enabled: Type.Optional(Type.Boolean()),
	budget: Type.Optional(Type.String()),
	policy: Type.Optional(Type.String()),
	goal: Type.Optional(Type.String()),
	doneGoal: Type.Optional(Type.String()),
	task: Type.Optional(Type.String()),
	constraints: Type.Optional(Type.Array(Type.String())),
	notedConstraints: Type.Optional(Type.Array(Type.String())),
	memory: Type.Optional(Type.Literal(false)),
});

/** Records of a changed prefix stay: the thinking that they took is invalid whatever else comes back. */
function takeUndo(log: GrowingLog, data: unknown): boolean {
	if (!Check(UndoShape, data)) return false;
	const { passes, spared } = log;
	const last = passes.findLastIndex((pass) => !isPrefixChange(pass));
	const [undone] = last < 0 ? [] : passes.splice(last, 1);
	for (const episode of undone ? touchedEpisodes(undone) : []) spared.add(episode);
	return takeChange(log, data.change);
}

function takePrefix(log: GrowingLog, data: unknown): boolean {
	if (!Check(PrefixShape, data)) return false;
	const { isOn, head, compaction } = data;
	log.prefix = { isOn, head, compaction };
	return takeChange(log, data.change);
}

function takeChange({ passes }: GrowingLog, data: unknown): boolean {
	if (data === undefined) return true;
	const change = readPass(data);
	if (change) passes.push(change);
	return change !== undefined;
}

function takePin({ pinned }: GrowingLog, data: unknown): boolean {
	if (!Check(PinShape, data)) return false;
	if (data.isPinned) pinned.add(data.episode);
	else pinned.delete(data.episode);
	return true;
}

function takeDescription({ descriptions }: GrowingLog, data: unknown): boolean {
	if (!Check(DescriptionShape, data)) return false;
	descriptions.set(data.episode, data.text);
	return true;
}

function takeOutputs({ outputs }: GrowingLog, data: unknown): boolean {
	if (!Check(OutputsShape, data)) return false;
	outputs.push({ after: data.after, limits: data.limits });
	return true;
}

/** Checks only the form: `settings.ts` decides if a steering value may be used, as for every other source. */
function takeSteering(log: GrowingLog, data: unknown): boolean {
	if (!Check(SteeringShape, data)) return false;
	const { enabled, budget, policy, memory, goal, doneGoal, task, constraints, notedConstraints } = data;
	const state = { memory, goal, doneGoal, task, constraints, notedConstraints };
	const given = Object.entries({ enabled, budget, policy, ...state }).filter(
		([, value]) => value !== undefined,
	);
	log.steering = { ...log.steering, ...Object.fromEntries(given) };
	return true;
}
