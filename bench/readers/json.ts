/** JSON that nobody has checked yet. */

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object that a line holds, or undefined for anything else. */
export function parseFields(line: string): Fields | undefined {
	try {
		const value: unknown = JSON.parse(line);
		return isFields(value) ? value : undefined;
	} catch {
		return undefined;
	}
}
