import { type Fields, fieldsOf } from "../wire/json.ts";

/** JSON that is equal for equal content: object keys sorted, no whitespace, undefined fields left out. */
export function canonicalJson(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
	if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
	const fields: Fields = fieldsOf(value);
	const entries = Object.keys(fields)
		.sort()
		.filter((key) => fields[key] !== undefined)
		.map((key) => `${JSON.stringify(key)}:${canonicalJson(fields[key])}`);
	return `{${entries.join(",")}}`;
}
