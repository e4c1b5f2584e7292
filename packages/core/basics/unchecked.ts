/** Readers of JSON that nobody has checked: a value of another type reads as empty. */
import { isRecord, type UnknownRecord } from "./is-record.ts";

export const fieldsOf = (value: unknown): UnknownRecord => (isRecord(value) ? value : {});

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The objects of a list; anything else in it reads as an object without fields. */
export const recordsOf = (value: unknown): readonly UnknownRecord[] => listOf(value).map(fieldsOf);

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
