/** Settings, and files next to a session: in the place of one, a clone or an archive may hold a pipe, a device or a link. */
import { randomUUID } from "node:crypto";
import {
	closeSync,
	constants,
	existsSync,
	fstatSync,
	lstatSync,
	openSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { CwlError, refusal } from "../errors.ts";

/** Larger ones were not written by us; in bytes. */
const MAX_SIZE = 16 * 2 ** 20;

/**
 * The text of a file; undefined if there is none. Links are followed; pipes and devices are neither waited for nor read.
 * @throws CwlError whose message is the reason in a few words
 */
export function readTextFile(path: string, maxSize = MAX_SIZE): string | undefined {
	let file: number;
	try {
		file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
	} catch (error) {
		const code = codeOf(error);
		if (code === "ENOENT" || code === "ENOTDIR") return undefined;
		throw refusal(code);
	}
	try {
		const stats = fstatSync(file);
		if (!stats.isFile()) throw refusal("not a regular file");
		if (stats.size > maxSize) throw refusal(`larger than ${maxSize} bytes`);
		// Some of the system's files have no size and no end.
		return stats.size === 0 ? "" : readFileSync(file, "utf8");
	} catch (error) {
		throw error instanceof CwlError ? error : refusal(codeOf(error));
	} finally {
		closeSync(file);
	}
}

/**
 * Replaces a file in one step: whoever has it open never sees half of it, also where several processes write it. A link in its
 * place is replaced, and the file that the link leads to stays as it is; a device or a pipe is not replaced. No other user may
 * read the new file, unless it is shared. Synchronous, so that a program that ends leaves no draft. Returns false where
 * `isWanted`, which is asked last, does.
 * @throws CwlError whose message is the system's code
 */
export function replaceTextFile(
	path: string,
	text: string,
	{ isShared = false, isWanted = (): boolean => true } = {},
): boolean {
	const draft = `${path}.${randomUUID()}.new`;
	try {
		const stats = lstatSync(path, { throwIfNoEntry: false });
		const isOther = stats && !stats.isFile() && !stats.isSymbolicLink();
		if (isOther) throw refusal("not a regular file");
		writeFileSync(draft, text, { mode: isShared ? 0o666 : 0o600, flag: "wx" });
		const isReplaced = isWanted();
		if (isReplaced) renameSync(draft, path);
		else rmSync(draft);
		return isReplaced;
	} catch (error) {
		if (existsSync(draft)) rmSync(draft);
		throw error instanceof CwlError ? error : refusal(codeOf(error));
	}
}

/** The system's code of an error, such as `ENOENT`; else its text. */
export function codeOf(error: unknown): string {
	return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
