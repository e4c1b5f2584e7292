import { realpathSync } from "node:fs";
import { join } from "node:path";
import { createLinkCheck, exists, filterInSlices, isRealDirectory } from "../files/regular-file.ts";
import { runGit } from "../git/git-safety.ts";
import { findRepository, findUnsafeFile } from "../git/repository.ts";
import type { Walk, WalkOptions } from "./tree-walk.ts";

/** Tracked files that are missing on disk are listed twice, once with a tag of their own. */
const LIST_ARGS = "--literal-pathspecs ls-files -z -t -s -c -o -d --exclude-standard".split(" ");
const GITLINK_MODE = "160000";
/** git's warning about a directory that it may not enter, and skips. */
const UNREADABLE = /^warning: could not open directory /gm;

export interface GitListing extends Walk {
	/** Repositories inside of this one, relative to the directory, for which git has no answer: their files are missing here. */
	readonly unanswered: readonly string[];
}

/**
 * Lists the files and symbolic links below `directory`, relative to it: tracked ones that exist, and untracked ones
 * that no ignore rule names, as `git ls-files -co --exclude-standard` does. In place of a submodule, or of another
 * repository inside of this one, the files that its own git lists are listed. Undefined where git has no answer: no
 * work tree, no git, a repository that git refuses or that is not safe to open, no time left.
 *
 * @throws WorkspaceError `aborted`
 */
export async function listFilesWithGit(
	directory: string,
	options: WalkOptions,
): Promise<GitListing | undefined> {
	const repository = findRepository(directory);
	if (repository?.workTree === undefined) return undefined;
	if ((await findUnsafeFile(repository, options.signal)) !== undefined) return undefined;
	return listWorkTree(directory, repository.workTree, options);
}

/** True when an ignore rule names the directory itself: only then is an empty listing not the whole truth. */
export async function isIgnoredByGit(directory: string, options: WalkOptions): Promise<boolean> {
	const workTree = findRepository(directory)?.workTree;
	if (workTree === undefined) return false;
	const output = await runGit(["check-ignore", "-q", "--", "."], { ...options, cwd: directory, workTree });
	return output.type === "exit" && output.code === 0;
}

async function listWorkTree(
	directory: string,
	workTree: string,
	options: WalkOptions,
): Promise<GitListing | undefined> {
	const { within, signal } = options;
	const output = await runGit([...LIST_ARGS, "--", ...within], { ...options, cwd: directory, workTree });
	if (output.type !== "exit" || output.code !== 0) return undefined;
	const { listed, outside, missing, repositories } = readRecords(output.stdout.toString("utf8"));
	const absent = new Set(missing);
	// git does not say whether files outside of a sparse checkout exist.
	const sparse = await filterInSlices(outside, (path) => exists(`${directory}/${path}`), signal);
	const present = [...listed.filter((path) => !absent.has(path)), ...sparse];
	// git follows a link on the way to a tracked file: its index could ask what exists anywhere.
	const files = [...(await filterInSlices(present, createLinkCheck(directory), signal))];
	let unreadableDirectories = output.stderr.match(UNREADABLE)?.length ?? 0;
	const unanswered: string[] = [];
	// A link in the place of a nested repository, or above it, could lead to any other repository of the machine.
	const isOwn = createLinkCheck(directory);
	const own = repositories.filter((path) => isOwn(path) && isRealDirectory(join(directory, path)));
	for (const nested of own) {
		const inner = await listNested(join(directory, nested), options);
		if (inner === undefined) unanswered.push(nested);
		for (const path of inner?.files ?? []) files.push(`${nested}/${path}`);
		for (const path of inner?.unanswered ?? []) unanswered.push(`${nested}/${path}`);
		unreadableDirectories += inner?.unreadableDirectories ?? 0;
	}
	return { files, unreadableDirectories, unanswered };
}

async function listNested(path: string, options: WalkOptions): Promise<GitListing | undefined> {
	// A submodule that has lost its .git: git would answer for the repository around it.
	if (findRepository(path)?.workTree !== realpathSync(path)) return undefined;
	return listFilesWithGit(path, { ...options, within: [] });
}

/**
 * True for a path that git itself could have put into an index. git prints an index as it is: one that somebody made
 * names files above the work tree, or those of git's own directory.
 */
function isBelow(path: string): boolean {
	if (!/(?:^|\/)\.|\/\/|^\//.test(path)) return true;
	const parts = path.replace(/\/$/, "").split("/");
	return !parts.some((part) => part === "" || part === "." || part === ".." || part.toLowerCase() === ".git");
}

/** Records are `? path` for untracked files and `TAG mode object stage\tpath` for those of the index. */
function readRecords(text: string) {
	/** Untracked files, and those of the index that belong in the work tree; `missing` are those of them that are not on disk. */
	const listed: string[] = [];
	const missing: string[] = [];
	/** Files in the index and outside of a sparse checkout; folders with a git of their own. */
	const outside: string[] = [];
	const repositories: string[] = [];
	for (const record of text.split("\0")) {
		if (record === "") continue;
		const tag = record[0];
		const path = tag === "?" ? record.slice(2) : record.slice(record.indexOf("\t") + 1);
		if (!isBelow(path)) continue;
		if (path.endsWith("/")) repositories.push(path.slice(0, -1));
		else if (tag === "?") listed.push(path);
		else if (record.startsWith(GITLINK_MODE, 2)) repositories.push(path);
		else if (tag === "R") missing.push(path);
		else if (tag === "S") outside.push(path);
		// A file in conflict is listed once for each of its stages, one after the other.
		else if (tag !== "M" || path !== listed.at(-1)) listed.push(path);
	}
	return { listed, outside, missing, repositories };
}
