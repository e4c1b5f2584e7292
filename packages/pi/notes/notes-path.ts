/** Where the notes of a session are, and how they get there. */
import { CwlError, messageOf } from "../errors.ts";
import { readTextFile, replaceTextFile } from "../files/text-file.ts";

/** Next to the session file, so that no repository sees them. */
export function notesPath(sessionFile: string): string {
	return `${sessionFile.replace(/\.jsonl$/, "")}.notes.md`;
}

/**
 * The notes as they are, undefined when there are none yet.
 * @throws CwlError `bad-notes` when the file cannot be read
 */
export async function readNotes(path: string): Promise<string | undefined> {
	try {
		return readTextFile(path);
	} catch (error) {
		throw new CwlError("bad-notes", `${path} cannot be read (${messageOf(error)}).`);
	}
}

/**
 * Writes them in one step.
 * @throws CwlError `bad-notes` when it cannot be written
 */
export async function writeNotes(path: string, text: string): Promise<void> {
	try {
		await replaceTextFile(path, text);
	} catch (error) {
		throw new CwlError("bad-notes", `${path} cannot be written (${messageOf(error)}).`);
	}
}
