/** JSON that nobody has checked yet. */

import { isRecord, type UnknownRecord } from "#core";

export { isRecord as isFields, type UnknownRecord as Fields } from "#core";

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
