/** The file of the project memory, in a repository that anyone may have written: opened with care, replaced in one step. */
import { existsSync } from "node:fs";
import { constants, lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { CwlError } from "../errors.ts";
import { type FileState, GONE, type ReadFileState } from "../files/file-state.ts";
import { findingsIn, formatMemory, type Memory } from "./memory.ts";
import { type MergedMemory, mergeMemory } from "./merge-memory.ts";
import { type ParsedMemory, parseMemory } from "./parse-memory.ts";
import type { SessionFindings } from "./session-findings.ts";

/** Below the folder of the repository. */
export const MEMORY_FILE = ".pi/cwl/memory.md";
/** In bytes; a memory that cwl writes stays far below. */
const MAX_BYTES = 1_000_000;
/** Files of a memory that are looked at when it is read. */
const MAX_LOOKED_AT = 500;
/** A memory that names fewer files than this may have lost all of them. */
const MIN_FOREIGN = 3;

/** The folder that holds `.git`, at or above `cwd`; `cwd` itself outside of a repository. */
export function repositoryOf(cwd: string): string {
	for (let place = resolve(cwd); ; place = dirname(place)) {
		if (existsSync(join(place, ".git"))) return place;
		if (place === dirname(place)) return resolve(cwd);
	}
}

export type LoadedMemory =
	| { readonly type: "none" }
	/** With the file, what was found and the remedy. Nothing is taken from it, and nothing is written. */
	| { readonly type: "refused"; readonly reason: string }
	| (Extract<ParsedMemory, { type: "read" }> & {
			/** Of the files that it names, as they are now. */
			readonly disk: ReadonlyMap<string, FileState>;
	  });

/** Loads the memory of a repository. Never throws: what cannot be used is named with its place and a remedy. */
export async function loadMemory(root: string, read: ReadFileState): Promise<LoadedMemory> {
	const path = join(root, MEMORY_FILE);
	const found = await readText(root);
	if (found.type !== "text") return found;
	const parsed = parseMemory(found.text);
	if (parsed.type === "refused") return { type: "refused", reason: `${path}: ${parsed.reason}` };
	const problems = parsed.problems.map((problem) => `${path}: ${problem}`);
	const names = new Set(findingsIn(parsed.memory).flatMap(({ files }) => [...files.keys()]));
	const disk = new Map<string, FileState>();
	for (const name of [...names].slice(0, MAX_LOOKED_AT)) {
		const state = await read(join(root, name));
		if (state !== undefined) disk.set(name, state);
	}
	const isForeign = disk.size >= MIN_FOREIGN && [...disk.values()].every((state) => state === GONE);
	if (!isForeign) return { ...parsed, problems, disk };
	const [first = ""] = names;
	const reason = `${path}: none of its ${disk.size} files is in this repository, not even ${JSON.stringify(first)}: it belongs to another one; move it away, or mend the names.`;
	return { type: "refused", reason };
}

export interface SavedMemory extends Omit<MergedMemory, "memory"> {
	readonly path: string;
}

/**
 * Takes sessions up into the memory of a repository. Without news, nothing is written.
 * @throws CwlError `bad-memory` for a file that is not to be overwritten, and when it cannot be written
 */
export async function updateMemory(
	root: string,
	sessions: readonly SessionFindings[],
	read: ReadFileState,
): Promise<SavedMemory> {
	const path = join(root, MEMORY_FILE);
	const loaded = await loadMemory(root, read);
	if (loaded.type === "refused") throw new CwlError("bad-memory", loaded.reason);
	if (loaded.type === "read" && loaded.isInConflict) {
		throw new CwlError("bad-memory", `nothing was written: ${loaded.problems[0]}`);
	}
	const before: Memory | undefined = loaded.type === "read" ? loaded.memory : undefined;
	const { memory, added, changed, secrets } = mergeMemory(before, sessions);
	if (added + changed > 0) await writeText(root, formatMemory(memory), before && formatMemory(before));
	return { path, added, changed, secrets };
}

type FoundText = { readonly type: "text"; readonly text: string } | Exclude<LoadedMemory, { type: "read" }>;

/** Follows no link, waits for no pipe and reads no more than it may. */
async function readText(root: string): Promise<FoundText> {
	const path = join(root, MEMORY_FILE);
	const refuse = (found: string): FoundText => ({ type: "refused", reason: `${path}: ${found}.` });
	try {
		const link = await findLink(root);
		if (link !== undefined) return refuse(`${link} is a link or no folder, and is not followed: replace it`);
		const file = await open(
			path,
			constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
		);
		try {
			const stats = await file.stat();
			if (!stats.isFile()) return refuse("it is no regular file: remove it");
			if (stats.size > MAX_BYTES)
				return refuse(`it has ${stats.size} bytes, and at most ${MAX_BYTES} are read: shorten it`);
			return { type: "text", text: (await file.readFile("utf8")).replace(/^\uFEFF/, "") };
		} finally {
			await file.close();
		}
	} catch (error) {
		const code = codeOf(error);
		if (code === "ENOENT" || code === "ENOTDIR") return { type: "none" };
		if (code === "ELOOP") return refuse("it is a link, and is not followed: replace it by a file");
		return refuse(`it cannot be read (${code}): mend or remove it`);
	}
}

/** The first folder on the way to the file that is a link; undefined if there is none. */
async function findLink(root: string): Promise<string | undefined> {
	for (const folder of [join(root, ".pi"), dirname(join(root, MEMORY_FILE))]) {
		const stats = await lstat(folder).catch(() => undefined);
		if (stats && !stats.isDirectory()) return folder;
	}
	return undefined;
}

/** @throws CwlError `bad-memory` when somebody changed the file meanwhile, or when it cannot be written */
async function writeText(root: string, text: string, before: string | undefined): Promise<void> {
	const path = join(root, MEMORY_FILE);
	const fresh = `${path}.new`;
	try {
		await mkdir(dirname(path), { recursive: true });
		await rm(fresh, { force: true });
		const file = await open(fresh, "wx");
		try {
			await file.writeFile(text);
		} finally {
			await file.close();
		}
		const now = await readText(root);
		const parsed = now.type === "text" ? parseMemory(now.text) : undefined;
		const current = parsed?.type === "read" ? formatMemory(parsed.memory) : undefined;
		if (current === before) return await rename(fresh, path);
		await rm(fresh, { force: true });
	} catch (error) {
		throw new CwlError("bad-memory", `${path} cannot be written (${codeOf(error)}).`);
	}
	throw new CwlError(
		"bad-memory",
		`${path} was changed meanwhile: run /cwl memory update, or cwl memory update, once more.`,
	);
}

function codeOf(error: unknown): string {
	return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
