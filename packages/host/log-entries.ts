/** The eviction log as entries of pi's session file: written by us, read back as data that anyone may have touched. */
import { type Calibration, recalledCalibration } from "../core/calibration.ts";
import type { Blocker, Fold, Marker, Pass, Strip, StripLevel } from "../core/log.ts";

/** The custom entry types that we append to a session. */
export const PASS_ENTRY = "cwl.pass";
export const STEERING_ENTRY = "cwl.steering";
export const CALIBRATION_ENTRY = "cwl.calibration";

/** What was learnt of a model's tokenizer, as it is kept in the session. */
export interface CalibrationEntry {
	/** `provider/model`. */
	readonly model: string;
	readonly factor: number;
	readonly offset: number;
}

/** What a user changed by command for this session; kept on the branch like the passes. */
export interface Steering {
	readonly enabled?: boolean;
	/** As people write it: `60k`, `40%`. */
	readonly budget?: string;
	readonly policy?: string;
}

export interface RestoredLog {
	readonly passes: readonly Pass[];
	readonly steering: Steering;
	/** By model, as of the last entry. */
	readonly calibrations: ReadonlyMap<string, Calibration>;
	/** Entries of ours that could not be read: another version wrote them, or the file was damaged. */
	readonly unreadable: number;
}

type Entry = { readonly type: string; readonly customType?: unknown; readonly data?: unknown };

/** Read our entries from a branch, oldest first. Never throws. */
export function readLogEntries(branch: readonly Entry[]): RestoredLog {
	const passes: Pass[] = [];
	const calibrations = new Map<string, Calibration>();
	let steering: Steering = {};
	let unreadable = 0;
	for (const entry of branch) {
		if (entry.type !== "custom") continue;
		if (entry.customType === PASS_ENTRY) {
			const pass = readPass(entry.data);
			if (pass) passes.push(pass);
			else unreadable += 1;
		} else if (entry.customType === STEERING_ENTRY) {
			const change = readSteering(entry.data);
			if (change) steering = { ...steering, ...change };
			else unreadable += 1;
		} else if (entry.customType === CALIBRATION_ENTRY) {
			// Counts without one until the next answer; nothing is lost.
			const learnt = readCalibration(entry.data);
			if (learnt) calibrations.set(learnt.model, recalledCalibration(learnt.factor, learnt.offset));
		}
	}
	return { passes, steering, calibrations, unreadable };
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readAll<T>(values: unknown, read: (value: unknown) => T | undefined): readonly T[] | undefined {
	if (!Array.isArray(values)) return undefined;
	const all = values.map(read);
	const good = all.filter((value) => value !== undefined);
	return good.length === all.length ? good : undefined;
}

function readPass(data: unknown): Pass | undefined {
	if (!isFields(data) || data.version !== 1) return undefined;
	const { policy, budget, before, after } = data;
	const strips = readAll(data.strips, readStrip);
	const blockers = readAll(data.blockers, readBlocker);
	const folds = readAll(data.folds ?? [], readFold);
	if (typeof policy !== "string" || !isCount(budget) || !isCount(before) || !isCount(after)) return undefined;
	if (!strips || !blockers || !folds) return undefined;
	const sizes = { version: 1 as const, policy, budget, before, after };
	return { ...sizes, strips, ...(folds.length > 0 && { folds }), blockers };
}

function readFold(data: unknown): Fold | undefined {
	if (!isFields(data)) return undefined;
	const episodes = readAll(data.episodes, (id) => (typeof id === "string" ? id : undefined));
	const marker = readMarker(data.marker);
	return episodes && marker && { episodes, marker };
}

function readStrip(data: unknown): Strip | undefined {
	if (!isFields(data)) return undefined;
	const { episode, level, tokens } = data;
	const items = readAll(data.items, (item) => (typeof item === "string" ? item : undefined));
	const marker = data.marker === undefined ? undefined : readMarker(data.marker);
	if (typeof episode !== "string" || !isLevel(level) || !isCount(tokens) || !items) return undefined;
	if (data.marker !== undefined && !marker) return undefined;
	return { episode, level, items, tokens, ...(marker && { marker }) };
}

function readMarker(data: unknown): Marker | undefined {
	if (!isFields(data)) return undefined;
	const { anchor, text, tokens } = data;
	if (typeof anchor !== "string" || typeof text !== "string" || !isCount(tokens)) return undefined;
	return { anchor, text, tokens };
}

function readBlocker(data: unknown): Blocker | undefined {
	if (!isFields(data)) return undefined;
	const { what, tokens, remedy } = data;
	if (typeof what !== "string" || !isCount(tokens) || typeof remedy !== "string") return undefined;
	return { what, tokens, remedy };
}

/** Whether a steering value may be used is for `settings.ts` to judge, like that of every other source. */
function readSteering(data: unknown): Steering | undefined {
	if (!isFields(data)) return undefined;
	const { enabled, budget, policy } = data;
	if (enabled !== undefined && typeof enabled !== "boolean") return undefined;
	if (budget !== undefined && typeof budget !== "string") return undefined;
	if (policy !== undefined && typeof policy !== "string") return undefined;
	return {
		...(enabled !== undefined && { enabled }),
		...(budget !== undefined && { budget }),
		...(policy !== undefined && { policy }),
	};
}

function readCalibration(data: unknown): CalibrationEntry | undefined {
	if (!isFields(data)) return undefined;
	const { model, factor, offset } = data;
	if (typeof model !== "string" || typeof factor !== "number" || typeof offset !== "number") return undefined;
	return Number.isFinite(offset) && factor >= 0.5 && factor <= 2 ? { model, factor, offset } : undefined;
}

function isCount(value: unknown): value is number {
	return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function isLevel(value: unknown): value is StripLevel {
	return value === 1 || value === 2 || value === 3 || value === 4;
}
