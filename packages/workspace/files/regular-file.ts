/** Files as they are on disk: opened only where they are regular and bounded, and never through a link. */
import {
	closeSync,
	constants,
	fstatSync,
	lstatSync,
	openSync,
	readSync,
	type Stats,
	statSync,
} from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { throwIfAborted } from "../workspace-error.ts";

/** A name that has become a link or a pipe since it was listed is neither followed nor waited for. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The entry at a path itself; undefined where nothing does, or a directory on the way is closed or has become a file. */
function look(path: string): Stats | undefined {
	try {
		return lstatSync(path, { throwIfNoEntry: false });
	} catch {
		return undefined;
	}
}

/** The size in bytes of a regular file, undefined for anything else: links, pipes, devices, missing files. */
export function measureFile(path: string): number | undefined {
	const stats = look(path);
	return stats?.isFile() === true ? stats.size : undefined;
}

/** True for a directory itself, false for a link to one and for anything else. */
export const isRealDirectory = (path: string): boolean => look(path)?.isDirectory() === true;

/** True if anything has this path: a file, a directory, a link to nothing. */
export const exists = (path: string): boolean => look(path) !== undefined;

/**
 * True when a program may open the path without waiting for it or filling the memory: it leads to a regular file of at
 * most `maxBytes`, or to nothing. Links are followed.
 */
export function isBoundedFile(path: string, maxBytes: number): boolean {
	try {
		const stats = statSync(path, { throwIfNoEntry: false });
		return stats === undefined || (stats.isFile() && stats.size <= maxBytes);
	} catch {
		// Not to be reached by this process, and so not by a program that it starts.
		return true;
	}
}

/**
 * Returns the bytes of a regular file, the first `maxBytes` of a longer one. Undefined for what is not a regular file
 * or cannot be opened.
 */
export function readFileHead(path: string, maxBytes: number): Buffer | undefined {
	try {
		// Windows has no O_NOFOLLOW.
		if (constants.O_NOFOLLOW === undefined && !lstatSync(path).isFile()) return undefined;
		const file = openSync(path, OPEN_FLAGS);
		try {
			const stats = fstatSync(file);
			if (!stats.isFile()) return undefined;
			const bytes = Buffer.alloc(Math.min(stats.size, maxBytes));
			return bytes.subarray(0, fill(file, bytes));
		} finally {
			closeSync(file);
		}
	} catch {
		return undefined;
	}
}

/** The bytes of a whole regular file, undefined for one that is longer than `maxBytes` as well. */
export function readSmallFile(path: string, maxBytes: number): Buffer | undefined {
	const bytes = readFileHead(path, maxBytes + 1);
	return bytes !== undefined && bytes.length <= maxBytes ? bytes : undefined;
}

function fill(file: number, bytes: Buffer): number {
	let length = 0;
	for (let read = -1; read !== 0 && length < bytes.length; length += read) {
		read = readSync(file, bytes, length, bytes.length - length, null);
	}
	return length;
}

/** Other work of the event loop runs after this many milliseconds. */
const SLICE_MS = 12;

/**
 * Returns a test for paths relative to `root`: true unless a directory above the path is a link, since its content
 * belongs to another place. Each directory is looked at once.
 */
export function createLinkCheck(root: string): (path: string) => boolean {
	const known = new Map<string, boolean>([["", true]]);
	const isOwn = (directory: string): boolean => {
		const before = known.get(directory);
		if (before !== undefined) return before;
		const own = isOwn(parentOf(directory)) && isRealDirectory(`${root}/${directory}`);
		known.set(directory, own);
		return own;
	};
	return (path) => isOwn(parentOf(path));
}

const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** The paths of one slice of time that pass a test, and the index of the first that is still to be tested. */
interface Slice {
	readonly kept: readonly string[];
	readonly end: number;
}

/** The clock is read after this many paths. */
const BATCH = 20;

/**
 * Returns the paths that pass a test, in their order. Other work runs between two slices of time; `run` may bound a
 * slice, and start it again.
 *
 * @throws WorkspaceError `aborted`
 */
export async function filterInSlices(
	paths: readonly string[],
	isKept: (path: string) => boolean,
	signal: AbortSignal | undefined,
	run: (step: () => Slice) => Slice = (step) => step(),
): Promise<readonly string[]> {
	const all: string[] = [];
	for (let at = 0; at < paths.length; ) {
		throwIfAborted(signal);
		const from = at;
		const { kept, end } = run(() => filterSlice(paths, from, isKept));
		for (const path of kept) all.push(path);
		at = end;
		if (at < paths.length) await nextTurn();
	}
	throwIfAborted(signal);
	return all;
}

function filterSlice(paths: readonly string[], from: number, isKept: (path: string) => boolean): Slice {
	const until = performance.now() + SLICE_MS;
	const kept: string[] = [];
	let end = from;
	while (end < paths.length && performance.now() < until) {
		kept.push(...paths.slice(end, end + BATCH).filter(isKept));
		end += BATCH;
	}
	return { kept, end };
}
