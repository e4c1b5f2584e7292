import { accessSync, constants, lstatSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { encodeText } from "./byte-text.mjs";
import { MAX_FILE_BYTES, type SearchFile } from "./grep-engine.ts";
import { throwIfAborted } from "./workspace-error.ts";

export interface SkippedFiles {
	/** Larger than 16 MiB. */
	readonly large: number;
	readonly unreadable: number;
}

export interface SearchableFiles {
	readonly files: readonly SearchFile[];
	readonly skipped: SkippedFiles;
}

const FILES_A_SLICE = 1000;

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
	const files: SearchFile[] = [];
	let large = 0;
	let unreadable = 0;
	for (let from = 0; from < paths.length; from += FILES_A_SLICE) {
		throwIfAborted(signal);
		for (const path of paths.slice(from, from + FILES_A_SLICE)) {
			const found = inspect(encodeText(`${root}/${path}`));
			if (found === "large") large += 1;
			else if (found === "unreadable") unreadable += 1;
			else if (found !== "none") files.push({ path, bytes: found });
		}
		await nextTurn();
	}
	return { files, skipped: { large, unreadable } };
}

function inspect(path: Buffer): number | "large" | "unreadable" | "none" {
	try {
		const stats = lstatSync(path, { throwIfNoEntry: false });
		if (stats === undefined || !stats.isFile()) return "none";
		if (stats.size > MAX_FILE_BYTES) return "large";
		accessSync(path, constants.R_OK);
		return stats.size;
	} catch {
		return "unreadable";
	}
}
