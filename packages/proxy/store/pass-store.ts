/**
 * The passes of all conversations on disk: one append-only file for each beginning of a conversation, one line a pass.
 * A pass is on disk before the first request that it changes is sent, so that a process that is killed at any moment
 * leaves either no pass or one that the next request finds. Several proxies may share a store: they append to the same
 * files, and the first pass in a file that was made at some message is the one that counts.
 */
import { closeSync, fstatSync, fsyncSync, mkdirSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Pass } from "#core";
import { readLine, type StoredPass, writeLine } from "./pass-line.ts";

export interface PassStore {
	/** The passes that were made along a conversation, oldest first. `links` names it up to each of its messages. */
	passesAlong(root: string, links: readonly string[]): readonly StoredPass[];
	/**
	 * Adds the pass that was made at a message. Returns the one that counts: another process may have been first.
	 * Undefined if it cannot be written: then it must not take effect.
	 */
	append(root: string, stored: StoredPass): Pass | undefined;
}

/** Takes one line for the user about a file that cannot be used. */
export type Warn = (line: string) => void;

/** Keeps passes in memory only, as long as the process lives. */
export function createMemoryStore(): PassStore {
	const passes = new Map<string, StoredPass>();
	return {
		passesAlong: (_root, links) => links.flatMap((link) => passes.get(link) ?? []),
		append(_root, stored) {
			const first = passes.get(stored.at) ?? stored;
			passes.set(stored.at, first);
			return first.pass;
		},
	};
}

interface KnownFile {
	/** Bytes read so far; they end with a line break. */
	size: number;
	readonly passes: Map<string, StoredPass>;
}

/** Only as many are kept open in memory; a file is read again when it is needed again. */
const MAX_FILES = 64;

/** Opens the store in a folder, which is made when the first pass is written. */
export function openPassStore(folder: string, warn: Warn): PassStore {
	const files = new Map<string, KnownFile>();
	const pathOf = (root: string) => join(folder, `${root}.jsonl`);

	function fileOf(root: string): KnownFile {
		const file = files.get(root) ?? { size: 0, passes: new Map() };
		files.delete(root);
		files.set(root, file);
		const [oldest] = files.keys();
		if (files.size > MAX_FILES && oldest !== undefined) files.delete(oldest);
		return file;
	}

	function refresh(root: string): KnownFile {
		const file = fileOf(root);
		try {
			const size = statSync(pathOf(root), { throwIfNoEntry: false })?.size ?? 0;
			if (size > file.size) readNew(pathOf(root), file, warn);
		} catch (error) {
			warn(
				`${pathOf(root)} cannot be read (${codeOf(error)}): its passes are unknown, and their content is sent again.`,
			);
		}
		return file;
	}

	return {
		passesAlong(root, links) {
			const { passes } = refresh(root);
			return passes.size === 0 ? [] : links.flatMap((link) => passes.get(link) ?? []);
		},
		append(root, stored) {
			try {
				mkdirSync(folder, { recursive: true, mode: 0o700 });
				appendDurably(pathOf(root), writeLine(stored));
			} catch (error) {
				warn(`${pathOf(root)} cannot be written (${codeOf(error)}): nothing is evicted until it can.`);
				return undefined;
			}
			return refresh(root).passes.get(stored.at)?.pass;
		},
	};
}

function appendDurably(path: string, line: string) {
	const file = openSync(path, "a", 0o600);
	try {
		const bytes = Buffer.from(line);
		const written = writeSync(file, bytes);
		if (written < bytes.length) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
		fsyncSync(file);
	} finally {
		closeSync(file);
	}
}

/** Reads what was added to a file, up to its last line break. */
function readNew(path: string, known: KnownFile, warn: Warn) {
	const file = openSync(path, "r");
	try {
		const bytes = Buffer.alloc(fstatSync(file).size - known.size);
		const length = readSync(file, bytes, 0, bytes.length, known.size);
		const end = bytes.subarray(0, length).lastIndexOf(0x0a) + 1;
		for (const line of bytes.toString("utf8", 0, end).split("\n")) {
			if (line === "") continue;
			const stored = readLine(line);
			if (!stored) warn(`${path} has a damaged line: a pass is lost, and its content is sent again.`);
			else if (!known.passes.has(stored.at)) known.passes.set(stored.at, stored);
		}
		known.size += end;
	} finally {
		closeSync(file);
	}
}

function codeOf(error: unknown): string {
	return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
