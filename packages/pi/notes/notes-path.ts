/** Where the notes of a session are, and how they get there. */
import { readFile, rename, writeFile } from "node:fs/promises";
import { CwlError } from "../errors.ts";

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
		return await readFile(path, "utf8");
	} catch (error) {
		const code = error instanceof Error && "code" in error ? error.code : undefined;
		if (code === "ENOENT") return undefined;
		throw new CwlError("bad-notes", `${path} cannot be read (${String(code)}).`);
	}
}

/**
 * Write them in one step: whoever has the file open never sees half of it.
 * @throws CwlError `bad-notes` when it cannot be written
 */
export async function writeNotes(path: string, text: string): Promise<void> {
	try {
		await writeFile(`${path}.new`, text, { mode: 0o600 });
		await rename(`${path}.new`, path);
	} catch (error) {
		const code = error instanceof Error && "code" in error ? error.code : undefined;
		throw new CwlError("bad-notes", `${path} cannot be written (${String(code)}).`);
	}
}
