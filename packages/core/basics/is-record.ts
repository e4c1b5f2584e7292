/** An object whose fields nobody has checked yet. */
export type UnknownRecord = Readonly<Record<string, unknown>>;

/** Returns true if the value is an object that is neither null nor an array. */
export function isRecord(value: unknown): value is UnknownRecord {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
