/**
 * Checks the files that git would open in an untrusted repository. A pipe would block git, a device or an endless file
 * would fill the memory; git itself checks neither.
 */
import { existsSync, lstatSync } from "node:fs";
import { devNull, homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { isBoundedFile, readFileHead } from "../files/regular-file.ts";
import { readChildOutput } from "../process/child-output.ts";
import type { Repository } from "./find-repository.ts";
import { createGitEnvironment } from "./git-safety.ts";
import { findSpecialFile } from "./special-files.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const MAX_CONFIG_BYTES = MIB;
/** git allows as many levels of includes. */
const MAX_INCLUDE_DEPTH = 10;
const MAX_INCLUDES = 100;
const CONFIG_DEADLINE_MS = 2000;

/** Files of the directory that belongs to one work tree, with the largest size that is opened. */
const OWN_FILES: readonly (readonly [path: string, maxBytes: number])[] = [
	["HEAD", 64 * KIB],
	["index", 1024 * MIB],
	["config.worktree", MAX_CONFIG_BYTES],
	["info/sparse-checkout", 16 * MIB],
];
/** Files of the directory that all work trees share. */
const COMMON_FILES: readonly (readonly [path: string, maxBytes: number])[] = [
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
	const listed = [
		...OWN_FILES.map(([path, max]) => [join(gitDirectory, path), max] as const),
		...COMMON_FILES.map(([path, max]) => [join(commonDirectory, path), max] as const),
		...branchFiles(repository),
	];
	const unbounded = listed.find(([path, max]) => !isBoundedFile(path, max))?.[0];
	if (unbounded !== undefined) return unbounded;
	const inside = [...new Set([gitDirectory, commonDirectory])].map(findSpecialFile);
	const pipe = inside.find((path) => path !== undefined);
	if (pipe !== undefined) return pipe;
	const special = WORK_TREE_FILES.find((name) => workTree !== undefined && isSpecial(join(workTree, name)));
	if (special !== undefined) return special;
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
function isSpecial(path: string): boolean {
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
	for (let at = 0; at < pending.length; at += 1) {
		const { file, depth } = pending[at] ?? { file: "", depth: 0 };
		if (depth > MAX_INCLUDE_DEPTH || at > MAX_INCLUDES || !isBoundedFile(file, MAX_CONFIG_BYTES)) return file;
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
	const output = await readChildOutput({
		program: "git",
		args: ["config", "--file", file, "--no-includes", "--null", "--list"],
		cwd: dirname(file),
		// Otherwise git reads the configuration of the repository around it as well, with its includes.
		env: { ...createGitEnvironment(), GIT_DIR: devNull },
		signal,
		deadlineMs: CONFIG_DEADLINE_MS,
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
