/**
 * The files that a session knows: every one that its tools read or wrote, with a fingerprint of what it held when last seen, and
 * the report on those that changed since.
 */

import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { countOf, fieldsOf, showName } from "#basics";
import type { Item } from "#core/transcript";
import { nameFile } from "../codec/named-files.ts";
import { type BranchEntry, customData } from "../custom-entries.ts";
import { codeOf } from "./text-file.ts";

/**
 * `SIZE:HASH`, size in bytes and 128 bits of SHA-256; `SIZE:` for a file too large to be read for this; `gone` for one
 * that is not there. Undefined: it cannot be determined (no permission, no plain file).
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

/** The custom entry whose `files` are the states by name that were added since the entry before. */
export const FILES_ENTRY = "cwl.files";

/** States by file name; see `nameFile`. */
export type Manifest = ReadonlyMap<string, FileState>;

/** All of them are looked at when a session opens and after each command, so a file cannot name any number of them. */
export const MAX_FILES = 2_000;

/** The manifest of a branch, of the files named last. Never throws: what cannot be read is not known. */
export function readManifest(branch: readonly BranchEntry[]): Manifest {
	const manifest = new Map<string, FileState>();
	for (const { files } of customData(branch, FILES_ENTRY)) {
		for (const [name, state] of Object.entries(fieldsOf(files))) {
			if (typeof state !== "string" || !/^(gone|\d+:[0-9a-f]*)$/.test(state)) continue;
			manifest.delete(name);
			manifest.set(name, state);
		}
	}
	return new Map([...manifest].slice(-MAX_FILES));
}

const fileTools = new Set(["read", "edit", "write"]);

/** The file that a call works on, by name; undefined for calls that name none. */
export function fileOfCall(
	cwd: string,
	tool: string,
	args: Readonly<Record<string, unknown>>,
): string | undefined {
	if (!fileTools.has(tool) || typeof args.path !== "string" || args.path === "") return undefined;
	return nameFile(cwd, args.path);
}

/** The files that calls among some items work on, by name. */
export function filesOfCalls(cwd: string, items: readonly Item[]): ReadonlySet<string> {
	const calls = items.filter((item) => item.type === "call");
	return new Set(calls.flatMap((call) => fileOfCall(cwd, call.tool, call.arguments) ?? []));
}

export interface FileChange {
	readonly type: "changed" | "deleted" | "there again";
	readonly name: string;
}

/** Differences between the files that a session knows and the disk now; files whose state is unknown are left out. */
export function compareManifest(known: Manifest, now: ReadonlyMap<string, FileState>): readonly FileChange[] {
	const changes = [...known].flatMap(([name, before]): FileChange | readonly [] => {
		const after = now.get(name);
		if (after === undefined || after === before) return [];
		return { type: after === GONE ? "deleted" : before === GONE ? "there again" : "changed", name };
	});
	return changes.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** One line, which names at most `most` of the files: more of them are a checkout, and then one look at git says more. */
export function describeChanges(changes: readonly FileChange[], most: number): string {
	const shown = changes.slice(0, most).map(({ type, name }) => `${showName(name)} (${type})`);
	const more = changes.length > shown.length ? `, and ${changes.length - shown.length} more` : "";
	const have = changes.length === 1 ? "has" : "have";
	return `${countOf(changes.length, "file")} that this session knows ${have} changed since: ${shown.join(", ")}${more}`;
}
