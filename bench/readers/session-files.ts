/** Which files a list of paths means. */
import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { CwlError } from "../../packages/host/errors.ts";
import { fileError } from "./file-error.ts";

export type SessionFile =
	| { readonly type: "file"; readonly path: string }
	| { readonly type: "problem"; readonly error: CwlError };

/**
 * Files stand for themselves; of a folder, every `*.jsonl` in it and below, in order of name. What cannot be read is
 * a problem in the list, and the rest goes on.
 */
export async function findSessionFiles(paths: readonly string[]): Promise<readonly SessionFile[]> {
	const found: SessionFile[] = [];
	for (const path of paths) {
		const here = await findUnder(path);
		found.push(...here);
		if (here.length === 0) found.push(problem(emptyFolder(path)));
	}
	return found;
}

function problem(error: CwlError): SessionFile {
	return { type: "problem", error };
}

function emptyFolder(path: string): CwlError {
	return new CwlError("no-sessions", `${path}: no *.jsonl file in this folder; name a folder of sessions.`);
}

async function findUnder(path: string): Promise<readonly SessionFile[]> {
	try {
		const isFolder = (await stat(path)).isDirectory();
		return isFolder ? await listFolder(path) : [{ type: "file", path }];
	} catch (error) {
		return [problem(fileError(path, error))];
	}
}

/** Links to folders are not followed: they can lead back to where they stand. */
async function listFolder(folder: string): Promise<readonly SessionFile[]> {
	const entries = (await readdir(folder, { withFileTypes: true })).sort(byName);
	const found: SessionFile[] = [];
	for (const entry of entries) {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) found.push(...(await findUnder(path)));
		else if (entry.name.endsWith(".jsonl")) found.push({ type: "file", path });
	}
	return found;
}

function byName(a: Dirent, b: Dirent): number {
	return a.name < b.name ? -1 : 1;
}
