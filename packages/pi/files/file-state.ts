/** A fingerprint of a file's content: enough to tell whether it is still the same. */
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { codeOf } from "./text-file.ts";

/**
 * `SIZE:HASH`, size in bytes and 128 bits of SHA-256; `SIZE:` for a file too large to be read for this; `gone` for one
 * that is not there. Undefined: nobody can tell (no permission, no plain file).
 */
export type FileState = string;

export const GONE: FileState = "gone";

/** Larger files are known by their size alone; in bytes. */
const MAX_HASHED = 32_000_000;
const HASH_DIGITS = 32;

export type ReadFileState = (path: string) => Promise<FileState | undefined>;

/** A reader that looks again only at files that were touched since. It never throws. */
export function createFileReader(): ReadFileState {
	const known = new Map<string, { readonly stamp: string; readonly state: FileState }>();
	return async (path) => {
		try {
			const stats = await stat(path);
			if (!stats.isFile()) return undefined;
			const stamp = [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(" ");
			const earlier = known.get(path);
			if (earlier?.stamp === stamp) return earlier.state;
			const state = stats.size > MAX_HASHED ? `${stats.size}:` : await hashFile(path, stats.size);
			known.set(path, { stamp, state });
			return state;
		} catch (error) {
			return ["ENOENT", "ENOTDIR"].includes(codeOf(error)) ? GONE : undefined;
		}
	};
}

/** Some of the system's files have no size and no end; those are not read. */
async function hashFile(path: string, size: number): Promise<FileState> {
	const content = size === 0 ? Buffer.alloc(0) : await readFile(path);
	const hash = createHash("sha256").update(content).digest("hex");
	return `${content.length}:${hash.slice(0, HASH_DIGITS)}`;
}
