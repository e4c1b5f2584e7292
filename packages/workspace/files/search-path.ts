/** Paths that a tool call names: found by pi's own rules, kept in the workspace, and refused where they could block or fill memory. */

import { access, constants, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { showName } from "#basics";
import { errorCode, WorkspaceError } from "../workspace-error.ts";
import { exists } from "./regular-file.ts";

export interface SearchPath {
	readonly type: "file" | "directory";
	/** Absolute. */
	readonly path: string;
	/** The prefix that makes a path below it openable from the workspace: "", "src/", "/etc/". */
	readonly prefix: string;
}

/**
 * Finds the file or directory that a call names, by the rules of pi's own tools: `@` before a path is dropped, odd
 * Unicode spaces are plain ones, `~` is the home directory, an absolute path is used as it is. A relative path must
 * stay in the workspace, and no link inside the workspace leads out of it.
 *
 * @throws WorkspaceError `outside`, `not-found`, `not-readable` or `bad-argument`
 */
export async function resolveSearchPath(path: string | undefined, cwd: string): Promise<SearchPath> {
	const named = path === undefined || path === "" ? "." : path;
	if (named.includes("\0")) throw new WorkspaceError("bad-argument", "A path cannot hold a NUL character.");
	const absolute = pickExisting(named, cwd);
	const type = await readType(absolute, named);
	const isInside = !isOutside(relative(cwd, absolute));
	if (isInside && isOutside(relative(await realpath(cwd), await realpath(absolute))))
		throw outside(named, cwd);
	return { type, path: absolute, prefix: type === "file" ? "" : prefixOf(absolute, cwd) };
}

/** Returns the path that the model sees: relative to the workspace when it is inside, absolute otherwise. */
export function nameFromWorkspace(absolute: string, cwd: string): string {
	const inside = relative(cwd, absolute);
	const named = inside === "" || isOutside(inside) ? absolute : inside;
	return sep === "\\" ? named.replaceAll("\\", "/") : named;
}

function pickExisting(named: string, cwd: string): string {
	const exact = resolveInside(named, cwd);
	return exists(exact) ? exact : resolveInside(expandLikePi(named), cwd);
}

/** Drops the `@` and the odd spaces that models put into paths, and puts the home directory in place of `~`. */
function expandLikePi(named: string): string {
	const plain = named.replace(/^@/, "").replace(/[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g, " ");
	if (plain === "~") return homedir();
	return plain.startsWith("~/") ? homedir() + plain.slice(1) : plain;
}

function resolveInside(named: string, cwd: string): string {
	if (isAbsolute(named)) return resolve(named);
	const absolute = resolve(cwd, named);
	if (!isOutside(relative(cwd, absolute))) return absolute;
	throw outside(named, cwd);
}

function outside(named: string, cwd: string): WorkspaceError {
	const problem = `${showName(named)} leads out of the workspace ${showName(cwd)}.`;
	return new WorkspaceError("outside", `${problem} Give a path inside it, or an absolute path.`);
}

function isOutside(inside: string): boolean {
	return inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
}

async function readType(absolute: string, named: string): Promise<"file" | "directory"> {
	try {
		const stats = await stat(absolute);
		if (stats.isDirectory()) {
			await access(absolute, constants.R_OK | constants.X_OK);
			return "directory";
		}
		if (stats.isFile()) return "file";
	} catch (error) {
		throw describeMissing(error, named);
	}
	throw new WorkspaceError(
		"bad-argument",
		`${showName(named)} is a pipe, socket or device; only files and directories can be searched.`,
	);
}

function describeMissing(error: unknown, named: string): WorkspaceError {
	const code = errorCode(error) ?? "unknown error";
	if (code === "ENOENT" || code === "ENOTDIR") {
		return new WorkspaceError("not-found", `There is no file or directory ${showName(named)}.`);
	}
	return new WorkspaceError("not-readable", `${showName(named)} cannot be opened (${code}).`);
}

function prefixOf(absolute: string, cwd: string): string {
	const named = nameFromWorkspace(absolute, cwd);
	if (named === cwd && absolute === cwd) return "";
	return named.endsWith("/") ? named : `${named}/`;
}

/** The limit in bytes. The host reads a file as a whole, and takes several times its size in memory. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Refuses a path that a file tool could not read or write in bounded time: a pipe or a device would block the session
 * forever. A missing file passes, since the tool itself reports it.
 *
 * @throws WorkspaceError `not-a-file` or `too-large`
 */
export async function checkFile(named: string, cwd: string): Promise<void> {
	for (const path of new Set([named, expandLikePi(named)])) {
		const stats = await stat(resolve(cwd, path)).catch(() => undefined);
		if (stats === undefined) continue;
		const shown = showName(named);
		if (!stats.isFile()) {
			const is = stats.isDirectory()
				? "a directory. List it with glob"
				: "a pipe, socket or device, not a file";
			throw new WorkspaceError("not-a-file", `${shown} is ${is}.`);
		}
		if (stats.size <= MAX_BYTES) return;
		const size = `${Math.round(stats.size / 2 ** 20)} MiB`;
		const advice = "Use bash (head, tail, sed, grep) for parts of it.";
		throw new WorkspaceError("too-large", `${shown} is too large: ${size}, at most 256. ${advice}`);
	}
}
