/** JSON that nobody has checked yet: what is not there or of another type comes out empty. */

import { isRecord, type UnknownRecord } from "#basics";

export {
	fieldsOf,
	isRecord as isFields,
	listOf,
	recordsOf,
	textOf,
	type UnknownRecord as Fields,
} from "#basics";

/** As JSON.parse, past the mark that some programs on Windows begin a file with. @throws SyntaxError */
export function parseJson(text: string): unknown {
	return JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
}

/** The object that a line holds, or undefined for anything else. */
export function parseFields(line: string): UnknownRecord | undefined {
	try {
		const value = parseJson(line);
		return isRecord(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/** A number of tokens or dollars; 0 for what is none. */
export function amountOf(value: unknown): number {
	return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

/** A point in time in ms since the epoch, from ISO 8601 or a number of ms; 0 when there is none. */
export function timeOf(value: unknown): number {
	const time = typeof value === "string" ? Date.parse(value) : value;
	return typeof time === "number" && Number.isFinite(time) ? time : 0;
}
