/** The files that a session knows: every one that its tools read or wrote, with what it held when last seen. */
import { nameFile } from "../codec/file-paths.ts";
import { type FileState, GONE } from "./file-state.ts";

/** The custom entry that carries what was added since the one before. */
export const FILES_ENTRY = "cwl.files";

/** By the file's name; see nameFile. */
export type Manifest = ReadonlyMap<string, FileState>;

export interface FilesEntry {
	readonly files: Readonly<Record<string, FileState>>;
}

type Entry = { readonly type: string; readonly customType?: unknown; readonly data?: unknown };

/** All of them are looked at when a session opens and after each command, so a file cannot name any number of them. */
export const MAX_FILES = 2_000;

/** The manifest of a branch, of the files named last. Never throws: what cannot be read is not known. */
export function readManifest(branch: readonly Entry[]): Manifest {
	const manifest = new Map<string, FileState>();
	for (const { type, customType, data } of branch) {
		if (type !== "custom" || customType !== FILES_ENTRY) continue;
		for (const [name, state] of Object.entries(filesOf(data))) {
			if (typeof state !== "string" || !/^(gone|\d+:[0-9a-f]*)$/.test(state)) continue;
			manifest.delete(name);
			manifest.set(name, state);
		}
	}
	return new Map([...manifest].slice(-MAX_FILES));
}

function filesOf(data: unknown): object {
	const files = typeof data === "object" && data !== null && "files" in data ? data.files : undefined;
	return typeof files === "object" && files !== null ? files : {};
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

export interface FileChange {
	readonly type: "changed" | "deleted" | "renamed" | "back";
	readonly name: string;
	/** Where a renamed file is now. */
	readonly to?: string;
}

/** Differences between the files that a session knows and the disk now; files whose state is unknown are left out. */
export function compareManifest(known: Manifest, now: ReadonlyMap<string, FileState>): readonly FileChange[] {
	const changes: FileChange[] = [];
	for (const [name, before] of known) {
		const after = now.get(name);
		if (after === undefined || after === before) continue;
		const type = after === GONE ? "deleted" : before === GONE ? "back" : "changed";
		changes.push({ type, name });
	}
	return changes.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
