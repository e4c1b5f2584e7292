/**
 * Finds the repository of a directory, and checks the files that git would open in it. A pipe would block git, a device or
 * an endless file would fill the memory; git itself checks neither.
 */
import { type Dirent, existsSync, lstatSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { devNull, homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { isBoundedFile, readFileHead, readSmallFile } from "../files/regular-file.ts";
import { runGit } from "./git-safety.ts";

export interface Repository {
	/**
	 * The directory that holds `.git`, absolute and without links. git gets it as an argument, because `core.worktree` of
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
		const inside = gitDirectoryAt(join(place, ".git"));
		const gitDirectory = inside ?? (isGitDirectory(place) ? place : undefined);
		if (gitDirectory === undefined) continue;
		const workTree = inside === undefined ? undefined : place;
		return { workTree, gitDirectory, commonDirectory: commonOf(gitDirectory) };
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
function gitDirectoryAt(path: string): string | undefined {
	if (isGitDirectory(path)) return path;
	const target = readPointer(path, /^gitdir: (.+?)\n*$/s);
	return target !== undefined && isGitDirectory(target) ? target : undefined;
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

function commonOf(gitDirectory: string): string {
	return readPointer(join(gitDirectory, "commondir"), /^(.+?)\n*$/s) ?? gitDirectory;
}

function readPointer(file: string, form: RegExp): string | undefined {
	const target = form.exec(readSmallFile(file, MAX_POINTER_BYTES)?.toString("utf8") ?? "")?.[1];
	return target === undefined ? undefined : resolve(dirname(file), target);
}

function isDirectory(path: string): boolean {
	return statTarget(path)?.isDirectory() === true;
}

/** Undefined where a path leads to nothing, or to nothing that this process can reach. */
function statTarget(path: string): Stats | undefined {
	try {
		return statSync(path, { throwIfNoEntry: false });
	} catch {
		return undefined;
	}
}

const KIB = 1024;
const MIB = 1024 * KIB;
const MAX_CONFIG_BYTES = MIB;
/** git allows as many levels of includes. */
const MAX_INCLUDE_DEPTH = 10;
const MAX_INCLUDES = 100;
const CONFIG_DEADLINE_MS = 2000;

/** Files of git's directories, with the largest size that is opened. */
const FILES: readonly (readonly [path: string, maxBytes: number])[] = [
	["HEAD", 64 * KIB],
	["index", 1024 * MIB],
	["config.worktree", MAX_CONFIG_BYTES],
	["info/sparse-checkout", 16 * MIB],
	["config", MAX_CONFIG_BYTES],
	["packed-refs", 256 * MIB],
	["shallow", 16 * MIB],
	["info/exclude", MIB],
	["info/attributes", MIB],
	["info/grafts", MIB],
	["objects/info/alternates", MIB],
	["objects/info/commit-graph", 1024 * MIB],
];
const WORK_TREE_FILES: readonly string[] = [".gitattributes", ".gitignore", ".gitmodules"];

/**
 * Returns the first file that git must not open, or undefined when git can run. Files in directories below the top of
 * the work tree are not checked: git runs under a deadline and a memory limit for those.
 */
export async function findUnsafeFile(
	repository: Repository,
	signal: AbortSignal | undefined,
): Promise<string | undefined> {
	const { workTree, gitDirectory, commonDirectory } = repository;
	const directories = [...new Set([gitDirectory, commonDirectory])];
	const listed = directories.flatMap((directory) =>
		FILES.map(([path, max]) => [join(directory, path), max] as const),
	);
	const files = [...listed, ...branchFiles(repository)];
	const unsafe =
		files.find(([path, max]) => !isBoundedFile(path, max))?.[0] ??
		directories.map(findSpecialFile).find((path) => path !== undefined) ??
		WORK_TREE_FILES.find((name) => workTree !== undefined && isSpecialFile(join(workTree, name)));
	if (unsafe !== undefined) return unsafe;
	const configs = [join(commonDirectory, "config"), join(gitDirectory, "config.worktree")];
	return findUnsafeSetting(configs, workTree ?? gitDirectory, signal);
}

/** The file of the branch that HEAD names. */
function branchFiles({ gitDirectory, commonDirectory }: Repository): readonly (readonly [string, number])[] {
	const head = readFileHead(join(gitDirectory, "HEAD"), 64 * KIB)?.toString("utf8") ?? "";
	const branch = /^ref: (refs\/.+?)\n*$/s.exec(head)?.[1];
	return branch === undefined || branch.includes("\0") ? [] : [[join(commonDirectory, branch), 64 * KIB]];
}

/** True for a pipe, socket or device. git does not follow a link in this place. */
function isSpecialFile(path: string): boolean {
	const stats = lstatSync(path, { throwIfNoEntry: false });
	return stats !== undefined && !stats.isFile() && !stats.isSymbolicLink() && !stats.isDirectory();
}

/** Only a configuration that holds one of these words, in any case, can name a file that git reads for status or listing. */
const NAMES_FILES = /include|excludesfile|attributesfile/i;
const INCLUDE_KEY = /^include(?:if\..*)?\.path$/is;
const FILE_KEY = /^core\.(?:excludesfile|attributesfile)$/i;

/** git itself parses each file, without its includes, so that no way of writing a setting is missed. */
async function findUnsafeSetting(
	configs: readonly string[],
	workTree: string,
	signal: AbortSignal | undefined,
): Promise<string | undefined> {
	const pending = configs.map((file) => ({ file, depth: 0 }));
	for (const { file, depth } of pending) {
		const isTooMany = depth > MAX_INCLUDE_DEPTH || pending.length > MAX_INCLUDES;
		if (isTooMany || !isBoundedFile(file, MAX_CONFIG_BYTES)) return file;
		const settings = await readSettings(file, signal);
		if (settings === undefined) return file;
		for (const [key, value] of settings) {
			const isInclude = INCLUDE_KEY.test(key);
			if (!isInclude && !FILE_KEY.test(key)) continue;
			const named = locate(value, isInclude ? dirname(file) : workTree);
			if (named === undefined) return value;
			if (isInclude) pending.push({ file: named, depth: depth + 1 });
			else if (!isBoundedFile(named, MIB)) return named;
		}
	}
	return undefined;
}

type Setting = readonly [key: string, value: string];

/** Undefined when git does not end: it then waits for something that the file names. */
async function readSettings(
	file: string,
	signal: AbortSignal | undefined,
): Promise<readonly Setting[] | undefined> {
	if (!NAMES_FILES.test(readConfigText(file))) return [];
	const output = await runGit(["config", "--file", file, "--no-includes", "--null", "--list"], {
		cwd: dirname(file),
		// Otherwise git reads the configuration of the repository around it as well, with its includes.
		variables: { GIT_DIR: devNull },
		signal,
		giveUpAt: performance.now() + CONFIG_DEADLINE_MS,
	});
	if (output.type !== "exit") return undefined;
	return output.stdout
		.toString("utf8")
		.split("\0")
		.map((record) => {
			const [key = "", ...value] = record.split("\n");
			return [key, value.join("\n")];
		});
}

/** A link to the file is not followed here: git reads it then, with the same check before. */
function readConfigText(file: string): string {
	if (!existsSync(file)) return "";
	return readFileHead(file, MAX_CONFIG_BYTES)?.toString("latin1") ?? "include";
}

/** git expands `~/`. Its other forms, `~user` and `%(prefix)`, are not known here: undefined. */
function locate(value: string, base: string): string | undefined {
	if (value.startsWith("~/")) return join(homedir(), value.slice(2));
	return /^(?:~|%\()/.test(value) ? undefined : resolve(base, value);
}

/** Directories with entries beyond this number are left to git's deadline. */
const MAX_ENTRIES = 5000;
/** Loose objects are many; submodules and other work trees have a git of their own. */
const SKIPPED = /^(?:[0-9a-f]{2}|modules|worktrees|lfs)$/;
/** git's own file system monitor listens here; with `core.fsmonitor=false` no git of ours talks to it. */
const MONITOR_SOCKET = "fsmonitor--daemon.ipc";

/** Returns the first entry below a git directory that is neither a regular file nor a directory nor a link to one. */
function findSpecialFile(gitDirectory: string): string | undefined {
	const pending = [gitDirectory];
	let seen = 0;
	for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
		for (const entry of readEntries(directory)) {
			const path = join(directory, entry.name);
			if (isSpecial(entry, path)) return path;
			if (entry.isDirectory() && !SKIPPED.test(entry.name)) pending.push(path);
			seen += 1;
		}
		if (seen > MAX_ENTRIES) return undefined;
	}
	return undefined;
}

function readEntries(directory: string): readonly Dirent[] {
	try {
		return readdirSync(directory, { withFileTypes: true });
	} catch {
		// Not to be read by this process, and so not by a git that it starts.
		return [];
	}
}

function isSpecial(entry: Dirent, path: string): boolean {
	if (entry.isFile() || entry.isDirectory() || entry.name === MONITOR_SOCKET) return false;
	if (!entry.isSymbolicLink()) return true;
	const target = statTarget(path);
	return target !== undefined && !target.isFile() && !target.isDirectory();
}
