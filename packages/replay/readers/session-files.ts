/** Which files a list of paths means. */
import type { Dirent } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { CwlError } from "#pi";
import { evaluationTelltale, isEvaluationOutput, listEvaluation } from "./evaluation-output.ts";
import { listEventFiles } from "./event-stream.ts";
import { fileError } from "./file-error.ts";
import { isRecognised, isTelltale } from "./registry.ts";
import type { Damage, SessionPlace } from "./session-reader.ts";

export type SessionFile =
	| ({ readonly type: "file" } & SessionPlace)
	| { readonly type: "damage"; readonly damage: readonly Damage[] }
	| { readonly type: "problem"; readonly error: CwlError };

/**
 * Files stand for themselves, whatever they are called; one of an evaluation, for the sessions in it. Of a folder, in order of name, every `*.jsonl` and `*.traj` in
 * it and below, the `*.json` that look like a session, and each folder of event files as one. What cannot be read is
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
	return new CwlError(
		"no-sessions",
		`${path}: no recorded session in this folder; name a folder of sessions.`,
	);
}

async function findUnder(path: string): Promise<readonly SessionFile[]> {
	try {
		const isFolder = (await stat(path)).isDirectory();
		return isFolder ? await listFolder(path) : await listFile(path);
	} catch (error) {
		return [problem(fileError(path, error))];
	}
}

/** Links to folders are not followed: they can lead back to where they stand. */
async function listFolder(folder: string): Promise<readonly SessionFile[]> {
	if (await isEventFolder(folder)) return [{ type: "file", path: folder }];
	const entries = (await readdir(folder, { withFileTypes: true })).sort(byName);
	const found: SessionFile[] = [];
	for (const entry of entries) {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) found.push(...(await findUnder(path)));
		else found.push(...(await findFile(path)));
	}
	return found;
}

/** A session, or the lines of an evaluation, each of which is one. */
async function listFile(path: string): Promise<readonly SessionFile[]> {
	if (!evaluationTelltale.test(await readHead(path)) || !(await isEvaluationOutput(path)))
		return [{ type: "file", path }];
	const { lines, damage } = await listEvaluation(path);
	const sessions = lines.map((line) => ({ type: "file", path, line }) as const);
	return damage.length > 0 ? [...sessions, { type: "damage", damage }] : sessions;
}

async function findFile(path: string): Promise<readonly SessionFile[]> {
	try {
		return (await isSessionFile(path)) ? await listFile(path) : [];
	} catch (error) {
		return [problem(fileError(path, error))];
	}
}

/** Programs keep much else as JSON: such a file counts only where its head, and then the whole of it, speaks for it. */
async function isSessionFile(path: string): Promise<boolean> {
	const extension = extname(path);
	if (extension === ".jsonl" || extension === ".traj") return true;
	return extension === ".json" && isTelltale(await readHead(path)) && (await isRecognised(path));
}

async function isEventFolder(folder: string): Promise<boolean> {
	const [first] = await listEventFiles(folder);
	return first !== undefined && isTelltale(await readHead(first));
}

/** In bytes: past the settings that some programs write ahead of the messages. */
const HEAD = 64 * 1024;

/** A pipe would be waited for, and a device has no end. */
async function readHead(path: string): Promise<string> {
	const found = await stat(path);
	if (!found.isFile() && !found.isDirectory()) {
		throw new CwlError("not-readable", `${path}: a pipe or a device, not a file; leave it out.`);
	}
	const file = await open(path);
	try {
		const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0);
		return buffer.toString("utf8", 0, bytesRead);
	} finally {
		await file.close();
	}
}

function byName(a: Dirent, b: Dirent): number {
	return a.name < b.name ? -1 : 1;
}
