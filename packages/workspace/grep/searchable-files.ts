import { accessSync, constants } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isRealDirectory, measureFile, readFileHead } from "../files/regular-file.ts";
import { encodeText } from "../text/byte-text.ts";
import { throwIfAborted } from "../workspace-error.ts";
import { isBinary } from "./line-window.ts";

export const MAX_FILE_BYTES = 16 * 1024 * 1024;

export interface SearchableFiles {
	readonly files: readonly string[];
	/** Files of more than MAX_FILE_BYTES. */
	readonly large: number;
}

/** Returns the files of a list that may be opened, in their order. @throws WorkspaceError `aborted` */
export type SelectFiles = (paths: readonly string[]) => Promise<SearchableFiles>;

const FILES_A_SLICE = 2000;
const HEAD_BYTES = 8192;

/**
 * Selects the regular files of bounded size. Symbolic links lead elsewhere and are left out, in the place of a file
 * and of a directory above it; so are pipes and devices, which would block, and files that have vanished.
 */
export function createSelector(root: string, signal: AbortSignal | undefined): SelectFiles {
	const known = new Map<string, boolean>([["", true]]);
	const isInside = (directory: string): boolean => {
		const before = known.get(directory);
		if (before !== undefined) return before;
		const parent = directory.slice(0, Math.max(0, directory.lastIndexOf("/")));
		const inside = isInside(parent) && isRealDirectory(`${root}/${directory}`);
		known.set(directory, inside);
		return inside;
	};
	return async (paths) => {
		const files: string[] = [];
		let large = 0;
		for (let from = 0; from < paths.length; from += FILES_A_SLICE) {
			throwIfAborted(signal);
			for (const path of paths.slice(from, from + FILES_A_SLICE)) {
				if (!isInside(path.slice(0, Math.max(0, path.lastIndexOf("/"))))) continue;
				const bytes = measureFile(`${root}/${path}`);
				if (bytes === undefined) continue;
				if (bytes > MAX_FILE_BYTES) large += 1;
				else files.push(path);
			}
			await nextTurn();
		}
		return { files, large };
	};
}

export function isReadable(path: string): boolean {
	try {
		accessSync(encodeText(path), constants.R_OK);
		return true;
	} catch {
		return false;
	}
}

/** True for a regular file that grep skips as binary; false when it cannot be opened. */
export function isBinaryFile(path: string): boolean {
	const head = readFileHead(path, HEAD_BYTES);
	return head !== undefined && isBinary(head);
}
