/** The file of the project memory, in a repository that anyone may have written: opened with care, replaced in one step. */
import { existsSync, lstatSync, mkdirSync, realpathSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { setTimeout } from "node:timers/promises";
import { messageOf, refusal } from "../errors.ts";
import { type FileState, GONE, type ReadFileState } from "../files/manifest.ts";
import { readTextFile, replaceTextFile } from "../files/text-file.ts";
import { type Document, formatDocument } from "./document.ts";
import { findingsIn, type MergedMemory, mergeMemory } from "./merge-memory.ts";
import { parseDocument } from "./read-document.ts";
import type { SessionFindings } from "./session-findings.ts";

/** Below the folder of the repository. */
export const MEMORY_FILE = ".pi/cwl/memory.md";
/** The limit in bytes; a memory that cwl writes stays far below. */
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

/**
 * Loads the memory of a repository. Never throws: what cannot be used is named with its place and a remedy. Nothing is taken from
 * a file that is `refused`, and nothing is written.
 */
export async function loadMemory(root: string, read: ReadFileState) {
	const path = join(root, MEMORY_FILE);
	const nothing: Document = { pieces: [], record: new Map() };
	/** The files that the memory names, as they are now. */
	const disk = new Map<string, FileState>();
	const refuse = (reason: string) => {
		return { ...nothing, type: "refused" as const, disk, problems: [`${path}: ${reason}`] };
	};
	/** The bytes of the file. */
	let raw: string | undefined;
	try {
		raw = readWithCare(root);
	} catch (error) {
		return refuse(`it cannot be read (${messageOf(error)}): mend or remove it.`);
	}
	if (raw === undefined) return { ...nothing, type: "none" as const, disk, problems: [] };
	const parsed = parseDocument(raw, "memory");
	if (parsed.type === "refused") return refuse(parsed.reason);
	const problems = parsed.problems.map((problem) => `${path}: ${problem}`);
	const names = new Set(findingsIn(parsed).flatMap(({ files }) => [...files.keys()]));
	for (const name of [...names].slice(0, MAX_LOOKED_AT)) {
		const state = leadsOut(root, name) ? undefined : await read(join(root, name));
		if (state !== undefined) disk.set(name, state);
	}
	const isForeign = disk.size >= MIN_FOREIGN && [...disk.values()].every((state) => state === GONE);
	if (!isForeign) return { ...parsed, raw, problems, disk };
	const [first = ""] = names;
	return refuse(
		`none of its ${disk.size} files is in this repository, not even ${JSON.stringify(first)}: it belongs to another one; move it away, or mend the names.`,
	);
}

/** Returns true for a name that a link leads out of the repository; false for one that leads nowhere. */
function leadsOut(root: string, name: string): boolean {
	try {
		return !realpathSync(join(root, name)).startsWith(realpathSync(root) + sep);
	} catch {
		return false;
	}
}

/** Follows no link, which could lead out of the repository. @throws CwlError */
function readWithCare(root: string): string | undefined {
	const path = join(root, MEMORY_FILE);
	for (const place of [join(root, ".pi"), dirname(path), path]) {
		const stats = lstatSync(place, { throwIfNoEntry: false });
		if (stats?.isSymbolicLink()) throw refusal(`${place} is a link, which is not followed`);
	}
	return readTextFile(path, MAX_BYTES);
}

export interface SavedMemory extends Omit<MergedMemory, "memory"> {
	readonly path: string;
}

/** Attempts to write a memory that another process writes too, and the milliseconds before the second one. */
const MAX_ATTEMPTS = 6;
const FIRST_DELAY = 20;

/**
 * Adds sessions to the memory of a repository. Without news, nothing is written. If another process writes at the same
 * time, it tries again with what that one wrote; what the other one lost, its next update adds.
 * @throws CwlError for a file that is not to be overwritten, and when it cannot be written
 */
export async function updateMemory(
	root: string,
	sessions: readonly SessionFindings[],
	read: ReadFileState,
): Promise<SavedMemory> {
	const path = join(root, MEMORY_FILE);
	for (let attempt = 1; ; attempt += 1) {
		const loaded = await loadMemory(root, read);
		const before = loaded.type === "read" ? loaded : undefined;
		if (loaded.type === "refused") throw refusal(loaded.problems.join("\n"));
		if (before?.isInConflict) throw refusal(`nothing was written: ${before.problems[0]}`);
		const { memory, ...saved } = mergeMemory(before, sessions);
		if (saved.added + saved.changed === 0) return { path, ...saved };
		try {
			save(root, formatDocument(memory, "memory"), before?.raw);
			return { path, ...saved };
		} catch (error) {
			if (attempt === MAX_ATTEMPTS) throw error;
			await setTimeout(FIRST_DELAY * 2 ** (attempt - 1));
		}
	}
}

/** @throws CwlError when somebody changed the file meanwhile, or when it cannot be written */
function save(root: string, text: string, before: string | undefined) {
	const path = join(root, MEMORY_FILE);
	const refuse = (why: string) => refusal(`${path} ${why}`);
	try {
		mkdirSync(dirname(path), { recursive: true });
		const isWanted = () => readWithCare(root) === before;
		if (replaceTextFile(path, text, { isShared: true, isWanted })) return;
	} catch (error) {
		throw refuse(`cannot be written (${messageOf(error)}).`);
	}
	throw refuse("was changed meanwhile: run /cwl memory update, or cwl memory update, once more.");
}
