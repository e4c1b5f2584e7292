import { accessSync, closeSync, constants, lstatSync, openSync, readSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { encodeText } from "./byte-text.mjs";
import { MAX_FILE_BYTES } from "./grep-engine.ts";
import { isBinary } from "./line-text.mjs";
import { throwIfAborted } from "./workspace-error.ts";

export interface SearchableFiles {
	readonly files: readonly string[];
	/** Files of more than MAX_FILE_BYTES. */
	readonly large: number;
}

const FILES_A_SLICE = 2000;
const HEAD_BYTES = 8192;

/**
 * The files that may be opened: regular ones of bounded size. Symbolic links lead elsewhere and are passed over, as
 * are pipes and devices, which would block, and files that have vanished.
 *
 * @throws WorkspaceError `aborted`
 */
export async function selectSearchable(
	root: string,
	paths: readonly string[],
	signal: AbortSignal | undefined,
): Promise<SearchableFiles> {
	const files: string[] = [];
	let large = 0;
	for (let from = 0; from < paths.length; from += FILES_A_SLICE) {
		throwIfAborted(signal);
		for (const path of paths.slice(from, from + FILES_A_SLICE)) {
			const bytes = measureFile(`${root}/${path}`);
			if (bytes === undefined) continue;
			if (bytes > MAX_FILE_BYTES) large += 1;
			else files.push(path);
		}
		await nextTurn();
	}
	return { files, large };
}

/** The size of a regular file in bytes, undefined for anything else. */
export function measureFile(path: string): number | undefined {
	try {
		const stats = lstatSync(path, { throwIfNoEntry: false });
		return stats?.isFile() === true ? stats.size : undefined;
	} catch {
		// A directory on the way has been closed or replaced since the listing.
		return undefined;
	}
}

export function isReadable(path: string): boolean {
	try {
		accessSync(path, constants.R_OK);
		return true;
	} catch {
		return false;
	}
}

/** Whether a regular file is one that grep skips as binary; false when it cannot be opened. */
export function isBinaryFile(path: string): boolean {
	try {
		const file = openSync(encodeText(path), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
		try {
			const head = Buffer.alloc(HEAD_BYTES);
			return isBinary(head.subarray(0, readSync(file, head, 0, HEAD_BYTES, 0)));
		} finally {
			closeSync(file);
		}
	} catch {
		return false;
	}
}
