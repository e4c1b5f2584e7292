/** Readers of values that nobody has checked, such as parsed JSON: a value of another type reads as empty. */

/** An object whose fields nobody has checked yet. */
export type UnknownRecord = Readonly<Record<string, unknown>>;

/** Returns true if the value is an object that is neither null nor an array. */
export function isRecord(value: unknown): value is UnknownRecord {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const fieldsOf = (value: unknown): UnknownRecord => (isRecord(value) ? value : {});

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The objects of a list; anything else in it reads as an object without fields. */
export const recordsOf = (value: unknown): readonly UnknownRecord[] => listOf(value).map(fieldsOf);

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The fields of an object written as JSON; none for any other text. */
export function parseFields(json: string): UnknownRecord {
	try {
		return fieldsOf(JSON.parse(json));
	} catch {
		return {};
	}
}
