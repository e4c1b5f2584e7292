/** Data in JSON with fewer levels, entries and characters. */
import { cutText } from "./quote.ts";

export interface DataLimits {
	/** Levels of nesting that are shown. */
	readonly depth: number;
	/** Entries of a list or an object. */
	readonly entries: number;
	/** Characters of a string. */
	readonly lineLength: number;
}

/** Numbers that JavaScript would change are left to the text; so is nesting that could exhaust the stack. */
const INEXACT = /\d{16}|\d[eE][+-]?\d/;
/** In characters; a longer text is not worth the time. */
const MAX_LENGTH = 1_000_000;

/** The data of a text with less of it; undefined if the text holds no object and no list. Never throws. */
export function pruneJson(text: string, limits: DataLimits): string | undefined {
	if (!/^\s*[[{]/.test(text) || text.length > MAX_LENGTH || INEXACT.test(text)) return undefined;
	try {
		return JSON.stringify(prune(JSON.parse(text), limits.depth, limits), undefined, 1);
	} catch {
		return undefined;
	}
}

function prune(value: unknown, depth: number, limits: DataLimits): unknown {
	const { entries, lineLength } = limits;
	if (typeof value === "string")
		return value.length > lineLength ? `${cutText(value, lineLength)}… ${value.length} characters` : value;
	if (typeof value !== "object" || value === null) return value;
	if (Array.isArray(value)) {
		if (depth === 0) return `[${value.length} entries]`;
		const shown = value.slice(0, entries).map((each: unknown) => prune(each, depth - 1, limits));
		return value.length > entries ? [...shown, `… ${value.length - entries} more`] : shown;
	}
	const all = Object.entries(value);
	if (depth === 0) return `{${all.length} keys}`;
	const shown = all.slice(0, entries).map(([key, each]) => [key, prune(each, depth - 1, limits)] as const);
	return Object.fromEntries(
		all.length > entries ? [...shown, ["…", `${all.length - entries} more`] as const] : shown,
	);
}
