import { type Fields, fieldsOf } from "../wire/json.ts";

/**
 * Writes JSON so that equal content gives equal text and different content different text: object keys sorted, undefined
 * fields left out. Strings carry their length instead of escapes, which long tool results would make slow.
 */
export function canonicalText(value: unknown): string {
	if (typeof value === "string") return `${value.length}"${value}`;
	if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
	if (typeof value !== "object" || value === null) return String(value);
	const fields: Fields = fieldsOf(value);
	const entries = Object.keys(fields)
		.sort()
		.filter((key) => fields[key] !== undefined)
		.map((key) => canonicalText(key) + canonicalText(fields[key]));
	return `{${entries.join(",")}}`;
}
