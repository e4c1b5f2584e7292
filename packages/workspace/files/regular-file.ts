/** Files as they are on disk: opened only where they are regular and bounded, and never through a link. */
import {
	closeSync,
	constants,
	fstatSync,
	lstatSync,
	openSync,
	readdirSync,
	readSync,
	statSync,
} from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { decodeBytes, encodeText, isWellFormedText } from "../text/byte-text.ts";
import { throwIfAborted } from "../workspace-error.ts";

/** A name that has become a link or a pipe since it was listed is neither followed nor waited for. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The size in bytes of a regular file, undefined for anything else: links, pipes, devices, missing files. */
export function measureFile(path: string): number | undefined {
	try {
		const stats = lstatSync(encodeText(path), { throwIfNoEntry: false });
		return stats?.isFile() === true ? stats.size : undefined;
	} catch {
		// A directory on the way has been closed or replaced since the listing.
		return undefined;
	}
}

/** True for a directory itself, false for a link to one and for anything else. */
export function isRealDirectory(path: string): boolean {
	try {
		return lstatSync(encodeText(path), { throwIfNoEntry: false })?.isDirectory() === true;
	} catch {
		return false;
	}
}

/**
 * True when a program may open the path without waiting for it or filling the memory: it leads to a regular file of at
 * most `maxBytes`, or to nothing. Links are followed.
 */
export function isBoundedFile(path: string, maxBytes: number): boolean {
	try {
		const stats = statSync(encodeText(path), { throwIfNoEntry: false });
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
		const name = encodeText(path);
		// Windows has no O_NOFOLLOW.
		if (constants.O_NOFOLLOW === undefined && !lstatSync(name).isFile()) return undefined;
		const file = openSync(name, OPEN_FLAGS);
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
