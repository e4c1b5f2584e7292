/** Readers for JSON that nobody has checked yet: a wrong type reads as empty, so callers need no casts. */

export type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: unknown): Fields {
	return isFields(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

/** The objects of a list, anything else in it read as an object without fields. */
export function objectsOf(value: unknown): readonly Fields[] {
	return listOf(value).map(fieldsOf);
}

export function stringOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}

/** Parses tool call arguments; text that is no JSON object reads as no arguments, as the SDKs do. */
export function parseArguments(text: string): Fields {
	try {
		return fieldsOf(JSON.parse(text));
	} catch {
		return {};
	}
}
