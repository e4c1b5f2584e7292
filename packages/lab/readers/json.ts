/** JSON that nobody has checked yet. */

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** As JSON.parse, past the mark that some programs on Windows begin a file with. @throws SyntaxError */
export function parseJson(text: string): unknown {
	return JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
}

/** The object that a line holds, or undefined for anything else. */
export function parseFields(line: string): Fields | undefined {
	try {
		const value = parseJson(line);
		return isFields(value) ? value : undefined;
	} catch {
		return undefined;
	}
}
