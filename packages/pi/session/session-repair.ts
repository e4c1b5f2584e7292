/**
 * The session file against what the host has in memory. A host appends line by line and looks back at nothing: what a
 * full disk refused, or cut short, is missing in the file for ever, and an entry whose parent is missing cuts off all
 * that came before it.
 */

import { appendFileSync, closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { fieldsOf } from "#basics";

/** How far a file has been compared. */
export interface Compared {
	/** Entries of the host that are known to be in the file. */
	readonly entries: number;
	/** Bytes of the file that have been read. */
	readonly bytes: number;
}

/**
 * Write what is missing in the file, in order, each entry as a line of its own; an entry of another process stays
 * where it is. Reads only what came since the last time.
 * @throws the error of the file system when the file cannot be read or written; whatever fitted is in the file
 */
export function mendSessionFile(path: string, entries: readonly { readonly id: string }[], since: Compared) {
	const added = readFrom(path, since.bytes);
	const lines = added.toString("utf8").split("\n");
	const known = new Set(lines.flatMap(idOf));
	const wanted = entries.slice(since.entries);
	const missing = wanted.filter(({ id }) => !known.has(id));
	// A line that lacks nothing but its end would swallow the next one.
	const end = lines.at(-1) === "" ? "" : "\n";
	const text = end + missing.map((entry) => `${JSON.stringify(entry)}\n`).join("");
	if (text !== "") appendFileSync(path, text);
	const bytes = since.bytes + added.length + Buffer.byteLength(text);
	const compared: Compared = { entries: entries.length, bytes };
	/** Entries that another process has written since the last time. */
	const foreign = known.size - (wanted.length - missing.length);
	return { compared, written: missing.length, foreign };
}

/** End the last line of a file that a process left in the middle of it, and answer the size of the file in bytes. */
export function endLastLine(path: string): number {
	const bytes = Math.max(0, statSync(path).size - 1);
	return mendSessionFile(path, [], { entries: 0, bytes }).compared.bytes;
}

/** The id of an entry; a line that was cut short has none, and the header is no entry. */
function idOf(line: string): readonly string[] {
	try {
		const { id, type } = fieldsOf(JSON.parse(line));
		return typeof id === "string" && type !== "session" ? [id] : [];
	} catch {
		return [];
	}
}

function readFrom(path: string, start: number): Buffer {
	const file = openSync(path, "r");
	try {
		const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - start));
		const length = readSync(file, bytes, 0, bytes.length, start);
		return bytes.subarray(0, length);
	} finally {
		closeSync(file);
	}
}
