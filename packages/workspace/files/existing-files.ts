import { lstatSync, readdirSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { decodeBytes, encodeText, isWellFormedText } from "../text/byte-text.ts";
import { throwIfAborted } from "../workspace-error.ts";
import { isRealDirectory } from "./regular-file.ts";

/** Other work of the event loop runs after this many milliseconds. */
const SLICE_MS = 12;

/**
 * Returns the paths, relative to `root`, that exist, in their order. A directory is read once for all of its files,
 * which takes half of the time that one call for each file takes.
 *
 * @throws WorkspaceError `aborted`
 */
export async function keepExisting(
	root: string,
	paths: readonly string[],
	signal: AbortSignal | undefined,
): Promise<readonly string[]> {
	const known = new Map<string, ReadonlySet<string>>();
	const namesIn = (directory: string): ReadonlySet<string> => {
		const names = known.get(directory) ?? readNames(`${root}/${directory}`);
		known.set(directory, names);
		return names;
	};
	const isThere = (path: string) => {
		const end = path.lastIndexOf("/") + 1;
		return namesIn(path.slice(0, end)).has(path.slice(end)) || exists(`${root}/${path}`);
	};
	return await filterInSlices(paths, isThere, signal);
}

/**
 * Returns the paths, relative to `root`, that do not stand below a link to a directory, in their order: what stands
 * there belongs to another place. Each directory is looked at once.
 *
 * @throws WorkspaceError `aborted`
 */
export async function leaveOutLinkedDirectories(
	root: string,
	paths: readonly string[],
	signal: AbortSignal | undefined,
): Promise<readonly string[]> {
	const known = new Map<string, boolean>([["", true]]);
	const isOwn = (directory: string): boolean => {
		let answer = known.get(directory);
		if (answer === undefined) {
			const parent = directory.slice(0, Math.max(0, directory.lastIndexOf("/")));
			answer = isOwn(parent) && isRealDirectory(`${root}/${directory}`);
			known.set(directory, answer);
		}
		return answer;
	};
	const isBelowOwn = (path: string) => isOwn(path.slice(0, Math.max(0, path.lastIndexOf("/"))));
	return await filterInSlices(paths, isBelowOwn, signal);
}

async function filterInSlices(
	paths: readonly string[],
	isKept: (path: string) => boolean,
	signal: AbortSignal | undefined,
): Promise<readonly string[]> {
	const kept: string[] = [];
	let sliceEnd = performance.now() + SLICE_MS;
	for (const path of paths) {
		if (isKept(path)) kept.push(path);
		if (performance.now() <= sliceEnd) continue;
		await nextTurn();
		throwIfAborted(signal);
		sliceEnd = performance.now() + SLICE_MS;
	}
	return kept;
}

/** Empty where the directory cannot be read: each file is then checked by itself. */
function readNames(directory: string): ReadonlySet<string> {
	try {
		const names = isWellFormedText(directory) ? readdirSync(directory) : [];
		if (names.length > 0 && !names.some((name) => name.includes("\uFFFD"))) return new Set(names);
		return new Set(readdirSync(encodeText(directory), { encoding: "buffer" }).map(decodeBytes));
	} catch {
		return new Set();
	}
}

/** A file system that folds case or normalizes names knows a file by another name than git does. */
function exists(path: string): boolean {
	try {
		return lstatSync(encodeText(path), { throwIfNoEntry: false }) !== undefined;
	} catch {
		// A directory on the way is closed, or has become a file.
		return false;
	}
}
