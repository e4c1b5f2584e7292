/**
 * The files that a session knows: every one that its tools read or wrote, with what it held when last seen, and
 * the report on those that changed since.
 */

import { stat } from "node:fs/promises";
import { fieldsOf } from "#core";
import type { Graph } from "#core/graph";
import { type Item, showName } from "#core/transcript";
import { locate, nameFile } from "../codec/named-files.ts";
import { type BranchEntry, customData } from "../custom-entries.ts";
import { countOf } from "../screen/figures.ts";
import { type FileState, GONE, type ReadFileState } from "./file-state.ts";

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
	readonly type: "changed" | "deleted" | "renamed" | "back";
	readonly name: string;
	/** The new name of a renamed file. */
	readonly to?: string;
}

/** Differences between the files that a session knows and the disk now; files whose state is unknown are left out. */
export function compareManifest(known: Manifest, now: ReadonlyMap<string, FileState>): readonly FileChange[] {
	const changes = [...known].flatMap(([name, before]): FileChange | readonly [] => {
		const after = now.get(name);
		if (after === undefined || after === before) return [];
		return { type: after === GONE ? "deleted" : before === GONE ? "back" : "changed", name };
	});
	return changes.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Candidates of a fitting size that are read. */
const MAX_READ = 64;
/** Files of fewer bytes are too much like each other. */
const MIN_RENAMED = 16;

/**
 * Turns a deletion into a rename where exactly one of `candidates` (file names that the session does not know) has the
 * content of the deleted file, and no other deleted file had it. Reads only candidates of a fitting size.
 */
export async function findRenames(
	{ cwd, known, read }: { readonly cwd: string; readonly known: Manifest; readonly read: ReadFileState },
	changes: readonly FileChange[],
	candidates: readonly string[],
): Promise<readonly FileChange[]> {
	const deleted = changes.filter(({ type }) => type === "deleted").map(({ name }) => known.get(name) ?? "");
	const isOne = (state: FileState) => deleted.indexOf(state) === deleted.lastIndexOf(state);
	const isTelling = (state: FileState) => /:./.test(state) && Number.parseInt(state, 10) >= MIN_RENAMED;
	const lost = new Set(deleted.filter((state) => isOne(state) && isTelling(state)));
	const sizes = new Set([...lost].map((state) => Number.parseInt(state, 10)));
	const found = new Map<FileState, string[]>();
	let reads = 0;
	for (const name of lost.size === 0 ? [] : candidates.filter((candidate) => !known.has(candidate))) {
		const path = locate(cwd, name);
		// A candidate that has left since it was listed is none.
		const size = (await stat(path).catch(() => undefined))?.size ?? -1;
		if (reads === MAX_READ || !sizes.has(size)) continue;
		reads += 1;
		const state = (await read(path)) ?? "";
		if (lost.has(state)) found.set(state, [...(found.get(state) ?? []), name]);
	}
	return changes.map((change) => {
		const [to, another] = (change.type === "deleted" && found.get(known.get(change.name) ?? "")) || [];
		return to === undefined || another !== undefined ? change : { type: "renamed", name: change.name, to };
	});
}

/** More files than this are a checkout, and then one look at git says more. */
const MAX_LISTED = 20;
const MAX_EPISODES = 4;

const verbs = { changed: "changed", deleted: "deleted", renamed: "renamed", back: "there again" } as const;

/** One line for the user. */
export function describeForUser(changes: readonly FileChange[]): string {
	const shown = changes.slice(0, 6).map((change) => `${nameChange(change)} (${verbs[change.type]})`);
	const more = changes.length > shown.length ? `, and ${changes.length - shown.length} more` : "";
	return `${countFiles(changes)} since: ${shown.join(", ")}${more}`;
}

/** The text for the model, with the episodes that knew each file. */
export function describeForModel(
	changes: readonly FileChange[],
	knownBy: ReadonlyMap<string, readonly string[]>,
): string {
	const lines = changes.slice(0, MAX_LISTED).map((change) => {
		const episodes = knownBy.get(change.name) ?? [];
		const named = episodes.slice(-MAX_EPISODES).map(showName).join(", ");
		const more = episodes.length > MAX_EPISODES ? `, ${episodes.length - MAX_EPISODES} more` : "";
		return `${verbs[change.type]} ${nameChange(change)}${named === "" ? "" : `, known from ${named}${more}`}`;
	});
	const rest = changes.length > lines.length ? [`and ${changes.length - lines.length} more`] : [];
	const head = `${countFiles(changes)} on disk since; what you saw of them may be out of date:`;
	return [head, ...lines, ...rest].join("\n");
}

function nameChange({ name, to }: FileChange): string {
	return to === undefined ? showName(name) : `${showName(name)} -> ${showName(to)}`;
}

function countFiles({ length }: readonly FileChange[]): string {
	return `${countOf(length, "file")} that this session knows ${length === 1 ? "has" : "have"} changed`;
}

/** Names of the episodes whose calls worked on a file, by the file's name, oldest first. */
export function readKnowledge(
	{ episodes }: Pick<Graph, "episodes">,
	cwd: string,
): ReadonlyMap<string, readonly string[]> {
	const known = new Map<string, string[]>();
	for (const { name, items } of episodes) {
		for (const file of filesOfCalls(cwd, items)) known.set(file, [...(known.get(file) ?? []), name]);
	}
	return known;
}
