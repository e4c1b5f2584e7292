/** The entries of a JSON Lines file. */
import { fileError } from "./file-error.ts";
import { type Fields, parseFields } from "./json.ts";
import { readLines } from "./lines.ts";

/**
 * Hand over the object of each line, lines counted from 1; one line is in memory at a time. What is no JSON object
 * is noted as damage and skipped. Rejects with a `CwlError` when the file cannot be read.
 */
export async function readEntries(
	path: string,
	note: (line: number, reason: string) => void,
	onEntry: (entry: Fields, line: number) => void,
): Promise<void> {
	try {
		for await (const { number, text, isEnded } of readLines(path)) {
			if (text?.trim() === "") continue;
			const entry = text === undefined ? undefined : parseFields(text);
			if (entry) onEntry(entry, number);
			else if (text === undefined) note(number, "too long for a line of a session: skipped");
			else note(number, isEnded ? "no JSON object: skipped" : "cut off while it was written: skipped");
		}
	} catch (error) {
		throw fileError(path, error);
	}
}
