/**
 * The state that has to outlive the process, on disk: one append-only file for each beginning of a conversation, with a
 * line for each pass and for each request that the provider counted otherwise than was expected. A pass is on disk before
 * the first request that it changes is sent, and a count before the agent has all of the answer, so that a process that is
 * killed at any moment leaves either no line or one that the next request finds. Several proxies may share a store: they
 * append to the same files, and of the lines of one kind that name the same message the first one holds.
 */

import { closeSync, fstatSync, fsyncSync, mkdirSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "#basics";
import type { CountSample } from "#core/ledger";
import type { Pass } from "#core/log";
import { parseJson } from "./formats/json-bytes.ts";
import { fingerprint } from "./formats/wire-format.ts";

export type ConversationStore = ReturnType<typeof openStore>;

/** Keeps everything in memory only, as long as the process lives. */
export function createMemoryStore(): ConversationStore {
	return openStore(undefined, () => {});
}

function pick<T>(stored: ReadonlyMap<string, T>, names: readonly string[]): readonly T[] {
	return stored.size === 0 ? [] : names.flatMap((name) => stored.get(name) ?? []);
}

interface KnownFile {
	/** Bytes read so far; they end with a line break. */
	size: number;
	readonly passes: Map<string, StoredPass>;
	readonly counts: Map<string, StoredCount>;
}

/** Only as many are kept in memory; a file is read again when it is needed again. */
const MAX_FILES = 64;

/** Opens the store in a folder, which is made when the first pass is written; without a folder it is in memory only. */
export function openStore(folder: string | undefined, warn: (line: string) => void) {
	const files = new Map<string, KnownFile>();
	const pathOf = (root: string) => join(folder ?? "", `${root}.jsonl`);

	function fileOf(root: string): KnownFile {
		const file = files.get(root) ?? { size: 0, passes: new Map(), counts: new Map() };
		files.delete(root);
		files.set(root, file);
		const [oldest] = files.keys();
		if (folder !== undefined && files.size > MAX_FILES && oldest !== undefined) files.delete(oldest);
		return file;
	}

	function refresh(root: string): KnownFile {
		const file = fileOf(root);
		if (folder === undefined) return file;
		try {
			const size = statSync(pathOf(root), { throwIfNoEntry: false })?.size ?? 0;
			// Somebody emptied the store: what is written from now on stands at the beginning.
			if (size < file.size) file.size = 0;
			if (size > file.size) readNew(pathOf(root), file, warn);
		} catch (error) {
			warn(
				`${pathOf(root)} cannot be read (${codeOf(error)}): its passes are unknown, and their content is sent again.`,
			);
		}
		return file;
	}

	/** Returns false if the line cannot be written. */
	function write(root: string, stored: StoredLine, settle: (file: number) => void): boolean {
		if (folder === undefined) {
			addLine(fileOf(root), stored);
			return true;
		}
		try {
			mkdirSync(folder, { recursive: true, mode: 0o700 });
			appendLine(pathOf(root), writeLine(stored), settle);
			return true;
		} catch (error) {
			warn(`${pathOf(root)} cannot be written (${codeOf(error)}): nothing is evicted until it can.`);
			return false;
		}
	}

	return {
		/** The passes that were made along a conversation, oldest first. `names` are those of the conversation up to each of its messages. */
		passesAlong: (root: string, names: readonly string[]) => pick(refresh(root).passes, names),
		/**
		 * Adds the pass that was made at a message. Returns the one that counts: another process may have been first.
		 * Undefined if it cannot be written: then it must not take effect.
		 */
		append(root: string, stored: StoredPass): Pass | undefined {
			if (!write(root, stored, fsyncSync)) return undefined;
			return refresh(root).passes.get(stored.at)?.pass;
		},
		/** The provider's counts of the requests along a conversation, oldest first. */
		countsAlong: (root: string, names: readonly string[]) => pick(refresh(root).counts, names),
		/** Adds what the provider counted a request as. It need not outlive the machine: the next answer says it again. */
		addCount: (root: string, stored: StoredCount) => void write(root, stored, () => {}),
	};
}

function appendLine(path: string, line: string, settle: (file: number) => void) {
	const file = openSync(path, "a", 0o600);
	try {
		const bytes = Buffer.from(line);
		const written = writeSync(file, bytes);
		if (written < bytes.length) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
		settle(file);
	} finally {
		closeSync(file);
	}
}

/** Reads what was added to a file, up to its last line break. */
function readNew(path: string, known: KnownFile, warn: (line: string) => void) {
	const file = openSync(path, "r");
	try {
		const bytes = Buffer.alloc(fstatSync(file).size - known.size);
		const length = readSync(file, bytes, 0, bytes.length, known.size);
		const end = bytes.subarray(0, length).lastIndexOf(0x0a) + 1;
		for (const line of bytes.toString("utf8", 0, end).split("\n")) {
			if (line === "") continue;
			const stored = readLine(line);
			if (!stored) warn(`${path} has a damaged line: a pass is lost, and its content is sent again.`);
			else addLine(known, stored);
		}
		known.size += end;
	} finally {
		closeSync(file);
	}
}

/** The first line of its kind at a message is the one that holds. */
function addLine({ passes, counts }: KnownFile, line: StoredLine) {
	if ("pass" in line) passes.set(line.at, passes.get(line.at) ?? line);
	else counts.set(line.at, counts.get(line.at) ?? line);
}

function codeOf(error: unknown): string {
	return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

export interface StoredPass {
	/** The name of the conversation up to the last message of the request that the pass was made for. */
	readonly at: string;
	readonly pass: Pass;
}

/** The provider's count of a request. */
export interface StoredCount {
	/** The name of the conversation up to the last message of that request. */
	readonly at: string;
	readonly count: CountSample & { readonly model: string };
}

export type StoredLine = StoredPass | StoredCount;

/** The line, with a line break before it too: what stands before may have been cut short. */
function writeLine(line: StoredLine): string {
	const text = JSON.stringify(line);
	return `\n${JSON.stringify({ sum: checksum(text), text })}\n`;
}

/** Undefined for a line that is damaged. */
function readLine(line: string): StoredLine | undefined {
	const outer = parseJson(line);
	if (!isRecord(outer) || typeof outer.text !== "string" || outer.sum !== checksum(outer.text))
		return undefined;
	const inner = parseJson(outer.text);
	return isStored(inner) ? inner : undefined;
}

/** The checksum vouches for the rest of the line: this package wrote it. */
function isStored(value: unknown): value is StoredLine {
	if (!isRecord(value) || typeof value.at !== "string") return false;
	if (isRecord(value.count)) return true;
	return isRecord(value.pass) && value.pass.version === 1 && Array.isArray(value.pass.strips);
}

function checksum(text: string): string {
	return fingerprint(text).slice(0, 12);
}
