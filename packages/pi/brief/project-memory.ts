/** The file of the project memory, in a repository that anyone may have written: opened with care, replaced in one step. */

import { existsSync, lstatSync, mkdirSync, realpathSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { setTimeout } from "node:timers/promises";
import { quoteStart } from "#basics";
import { messageOf, refusal } from "../errors.ts";
import { GONE, type ReadFileState } from "../files/manifest.ts";
import { readTextFile, replaceTextFile } from "../files/text-file.ts";
import { type Document, type FileStates, formatDocument, type Piece } from "./document.ts";
import { findingsIn, mergeMemory } from "./merge-memory.ts";
import { parseDocument } from "./read-document.ts";
import { type SessionFindings, shortState } from "./session-findings.ts";

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
 * Loads the memory of a repository. Never throws: `problem` names what cannot be used, with its place and a remedy. Nothing is
 * taken from a file that is `refused`, and nothing is written.
 */
export async function loadMemory(root: string, read: ReadFileState) {
	try {
		/** The bytes of the file. */
		const raw = readWithCare(root);
		const document: Document = raw === undefined ? NOTHING : parseDocument(raw);
		const disk = await readStates(root, findingsIn(document), read);
		refuseForeign(disk);
		return { ...document, raw, type: raw === undefined ? "none" : "read", disk, problem: undefined } as const;
	} catch (error) {
		const problem = `${join(root, MEMORY_FILE)} cannot be read, so nothing of it is used: ${messageOf(error)}`;
		return { ...NOTHING, raw: undefined, type: "refused", disk: new Map<string, string>(), problem } as const;
	}
}

/** @throws CwlError when none of at least three files that a memory names is in the repository */
function refuseForeign(disk: FileStates) {
	const [first] = disk.keys();
	if (disk.size < MIN_FOREIGN || [...disk.values()].some((state) => state !== GONE)) return;
	throw refusal(
		`none of its ${disk.size} files is in this repository, not even ${quoteStart(first ?? "", 80)}: it belongs to another one; move it away, or mend the names.`,
	);
}

const NOTHING: Document = { pieces: [], record: new Map() };

/** The files that entries name, as they are now. */
async function readStates(
	root: string,
	entries: readonly Pick<Piece, "files">[],
	read: ReadFileState,
): Promise<FileStates> {
	const names = new Set(entries.flatMap(({ files }) => [...files.keys()]));
	const disk = new Map<string, string>();
	for (const name of [...names].slice(0, MAX_LOOKED_AT)) {
		const state = leadsOut(root, name) ? undefined : await read(join(root, name));
		if (state !== undefined) disk.set(name, shortState(state));
	}
	return disk;
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
		if (stats?.isSymbolicLink()) throw refusal(`${place} is a link, which is not followed: remove it.`);
	}
	return readTextFile(path, MAX_BYTES);
}

export interface SavedMemory {
	readonly path: string;
	/** Entries. */
	readonly added: number;
	readonly removed: number;
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
		if (loaded.problem !== undefined) throw refusal(loaded.problem);
		const found = sessions.flatMap(({ findings }) => findings);
		const disk = new Map([...loaded.disk, ...(await readStates(root, found, read))]);
		const before = loaded.type === "read" ? loaded : undefined;
		const { memory, ...saved } = mergeMemory(before, sessions, disk);
		if (saved.added + saved.removed === 0) return { path, ...saved };
		try {
			save(
				root,
				formatDocument(
					memory.pieces.flatMap(({ lines }) => lines),
					memory.record,
					"memory",
				),
				loaded.raw,
			);
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
