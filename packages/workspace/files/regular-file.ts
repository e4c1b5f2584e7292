import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, statSync } from "node:fs";
import { encodeText } from "../text/byte-text.ts";

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
