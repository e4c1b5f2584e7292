/** A pass as the session file gives it back: data that anyone may have touched, read field by field. */

import {
	type Blocker,
	type Decision,
	type IndexLine,
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
import { isOwnRelease } from "./release.ts";

/** The pass; undefined when a part of it cannot be read, or cannot be ours. */
export function readPass(data: unknown): Pass | undefined {
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
	if (code === "dependencies")
		return typeof data.act === "string" ? { code, act: data.act, tokens } : undefined;
	if (isPlainBlocker(code)) return { code, tokens };
	// Versions up to 0.1 kept the wording.
	if (typeof what !== "string" || typeof remedy !== "string") return undefined;
	return blockerFromText({ what, tokens, remedy });
}

/** Blockers that are a number of tokens and nothing else. */
const plainBlockers = ["fixed", "prologue", "user-turns", "exchange", "in-use"] as const;

function isPlainBlocker(code: unknown): code is (typeof plainBlockers)[number] {
	return plainBlockers.some((known) => known === code);
}

function readOpenEpisode({ episode, origin }: UnknownRecord, tokens: number): Blocker | undefined {
	if (typeof episode !== "string" || (origin !== "declared" && origin !== "inferred")) return undefined;
	return { code: "open-episode", episode, origin, tokens };
}

function readPinnedEpisodes({ count, largest }: UnknownRecord, tokens: number): Blocker | undefined {
	if (!isCount(count) || typeof largest !== "string") return undefined;
	return { code: "pinned-episodes", count, largest, tokens };
}

function readAll<T>(values: unknown, read: (value: unknown) => T | undefined): readonly T[] | undefined {
	if (!Array.isArray(values)) return undefined;
	const all = values.map(read);
	const good = all.filter((value) => value !== undefined);
	return good.length === all.length ? good : undefined;
}

function readText(value: unknown): string | undefined {
	return typeof value === "string" ? value : undefined;
}

export function isCount(value: unknown): value is number {
	return typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}

function isLevel(value: unknown): value is StripLevel {
	return value === 1 || value === 2 || value === 3 || value === 4;
}
