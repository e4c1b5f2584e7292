/** Where a deleted file went: another file that holds the same. */

import { stat } from "node:fs/promises";
import { locate } from "../codec/file-paths.ts";
import { type FileState, type ReadFileState, sizeIn } from "./file-state.ts";
import type { FileChange, Manifest } from "./manifest.ts";

/** Files whose size fits that are read to find out; more of them would say little. */
const MAX_READ = 64;
/** An empty file is like every other one; in bytes. */
const SMALLEST = 16;

/**
 * Turn deletions into renames where exactly one of `candidates` (names of files that the session does not know) holds
 * what the deleted file held. Reads only files of a size that fits.
 */
export async function findRenames(
	cwd: string,
	changes: readonly FileChange[],
	known: Manifest,
	candidates: readonly string[],
	read: ReadFileState,
): Promise<readonly FileChange[]> {
	const lost = new Map<FileState, string[]>();
	for (const { type, name } of changes) {
		const state = known.get(name);
		if (type !== "deleted" || state === undefined || (sizeIn(state) ?? 0) < SMALLEST || state.endsWith(":"))
			continue;
		lost.set(state, [...(lost.get(state) ?? []), name]);
	}
	if (lost.size === 0) return changes;
	const found = await findStates(
		cwd,
		new Set(lost.keys()),
		candidates.filter((name) => !known.has(name)),
		read,
	);
	return changes.map((change) => {
		const state = known.get(change.name) ?? "";
		const [to, another] = found.get(state) ?? [];
		const isOne = lost.get(state)?.length === 1 && to !== undefined && another === undefined;
		return change.type === "deleted" && isOne ? { type: "renamed", name: change.name, to } : change;
	});
}

async function findStates(
	cwd: string,
	wanted: ReadonlySet<FileState>,
	names: readonly string[],
	read: ReadFileState,
): Promise<ReadonlyMap<FileState, readonly string[]>> {
	const sizes = new Set([...wanted].map(sizeIn));
	const found = new Map<FileState, string[]>();
	let reads = 0;
	for (const name of names) {
		const path = locate(cwd, name);
		if (reads >= MAX_READ || !sizes.has(await sizeOf(path))) continue;
		reads += 1;
		const state = await read(path);
		if (state !== undefined && wanted.has(state)) found.set(state, [...(found.get(state) ?? []), name]);
	}
	return found;
}

async function sizeOf(path: string): Promise<number | undefined> {
	try {
		return (await stat(path)).size;
	} catch {
		// Gone since it was listed: no candidate.
		return undefined;
	}
}
