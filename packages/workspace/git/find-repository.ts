import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readSmallFile } from "../files/regular-file.ts";

export interface Repository {
	/**
	 * The directory that holds `.git`, absolute and without links. git is told to use it, because `core.worktree` of
	 * the repository may name any other place. Undefined inside of git's own directory and in a bare repository.
	 */
	readonly workTree: string | undefined;
	/** The directory of git's own files for this work tree. */
	readonly gitDirectory: string;
	/** The directory of the files that all work trees share, usually the same. */
	readonly commonDirectory: string;
}

/** Bytes of a `.git` file or a `commondir` file: they hold one path. */
const MAX_POINTER_BYTES = 65_536;

/**
 * Finds the repository of a directory as git does (gitrepository-layout(5)): the nearest `.git` at or above it, or
 * the directory itself. Only reads files that are small and regular. Undefined outside of any repository.
 */
export function findRepository(directory: string): Repository | undefined {
	for (let place = resolveLinks(directory); place !== undefined; place = parentOf(place)) {
		const found = openGitDirectory(join(place, ".git"));
		if (found !== undefined) return { workTree: place, ...found };
		if (isGitDirectory(place)) return { workTree: undefined, ...withCommon(place) };
	}
	return undefined;
}

function resolveLinks(directory: string): string | undefined {
	try {
		return realpathSync(directory);
	} catch {
		return undefined;
	}
}

function parentOf(directory: string): string | undefined {
	const parent = dirname(directory);
	return parent === directory ? undefined : parent;
}

/** `.git` is a directory, or in a submodule and a linked work tree a file that names one. */
function openGitDirectory(path: string): Omit<Repository, "workTree"> | undefined {
	if (isGitDirectory(path)) return withCommon(path);
	const target = readPointer(path, /^gitdir: (.+?)\n*$/s);
	if (target === undefined || !isGitDirectory(target)) return undefined;
	return withCommon(target);
}

function isGitDirectory(path: string): boolean {
	if (!isDirectory(path)) return false;
	const common = commonOf(path);
	return (
		existsSync(join(path, "HEAD")) &&
		isDirectory(join(common, "objects")) &&
		isDirectory(join(common, "refs"))
	);
}

function withCommon(gitDirectory: string): Omit<Repository, "workTree"> {
	return { gitDirectory, commonDirectory: commonOf(gitDirectory) };
}

function commonOf(gitDirectory: string): string {
	return readPointer(join(gitDirectory, "commondir"), /^(.+?)\n*$/s) ?? gitDirectory;
}

function readPointer(file: string, form: RegExp): string | undefined {
	const target = form.exec(readSmallFile(file, MAX_POINTER_BYTES)?.toString("utf8") ?? "")?.[1];
	return target === undefined ? undefined : resolve(dirname(file), target);
}

function isDirectory(path: string): boolean {
	try {
		return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
	} catch {
		return false;
	}
}
