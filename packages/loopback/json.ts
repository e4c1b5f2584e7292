/** Readers for unchecked JSON. A wrong type reads as empty, so callers need no casts. */

import { isRecord, type UnknownRecord } from "#core";

export type Fields = UnknownRecord;

export function fieldsOf(value: unknown): Fields {
	return isRecord(value) ? value : {};
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

/** Undefined for a text that is no JSON. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Parses tool call arguments; text that is no JSON object reads as no arguments, as the SDKs do. */
export function parseArguments(text: string): Fields {
	return fieldsOf(parseJson(text));
}
