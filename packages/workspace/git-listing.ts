import { existsSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { decodeBytes, encodeText } from "./byte-text.mjs";
import { type ChildOutput, readChildOutput } from "./child-output.ts";
import { keepExisting } from "./existing-files.ts";
import { createGitEnvironment, SAFE_CONFIG } from "./git-safety.ts";
import type { Walk } from "./tree-walk.ts";
import { WorkspaceError } from "./workspace-error.ts";

export interface GitListingOptions {
	/** Directories below `directory`, with `/`, to which the listing is confined; none means all of it. */
	readonly within: readonly string[];
	/** Whether tracked files may be among the answer that are gone from the disk. */
	readonly withGone: boolean;
	readonly signal?: AbortSignal | undefined;
	/** On the clock of `performance.now()`. */
	readonly giveUpAt: number;
}

const LIST_ARGS = ["--literal-pathspecs", "ls-files", "-z", "-t", "-s", "-c", "-o", "--exclude-standard"];
/** Tracked files that are gone from the disk come once more, with a tag of their own. */
const WITH_GONE = "-d";
/** Git looks at one file after the other: for a whole repository it is asked for the gone ones at the same time. */
const GONE_ARGS = ["--literal-pathspecs", "ls-files", "-z", WITH_GONE];
const GITLINK_MODE = "160000";
/** What git says of a directory that it may not enter, and passes over. */
const UNREADABLE = /^warning: could not open directory /gm;

/**
 * Files and symbolic links below `directory`, relative to it: tracked ones that exist, and untracked ones that no
 * ignore rule names, as `git ls-files -co --exclude-standard` gives them. A submodule, or another repository inside
 * this one, stands for the files that its own git lists. Undefined where git has no answer: no work tree, no git,
 * a repository that git refuses.
 *
 * @throws WorkspaceError `aborted`, or `too-costly` past the deadline
 */
export async function listFilesWithGit(
	directory: string,
	options: GitListingOptions,
): Promise<Walk | undefined> {
	const { withGone, within, signal } = options;
	const isApart = !withGone && within.length === 0 && existsSync(join(directory, ".git"));
	const goneTold = withGone || isApart ? [] : [WITH_GONE];
	const [output, missing] = await Promise.all([
		runGit(directory, [...LIST_ARGS, ...goneTold, "--", ...within], options),
		isApart ? runGit(directory, GONE_ARGS, options) : undefined,
	]);
	if (output.type !== "exit" || output.code !== 0) return undefined;
	if (missing && (missing.type !== "exit" || missing.code !== 0)) return undefined;
	const records = readRecords(decodeBytes(output.stdout));
	// Git does not say of files outside of a sparse checkout whether they are there.
	const outside = withGone ? records.outside : await keepExisting(directory, records.outside, signal);
	const gone = new Set([...records.gone, ...(missing ? decodeBytes(missing.stdout).split("\0") : [])]);
	const files = [...records.listed.filter((path) => !gone.has(path)), ...outside];
	let unreadableDirectories = output.stderr.match(UNREADABLE)?.length ?? 0;
	for (const nested of records.repositories) {
		const inner = await listNested(directory, nested, options);
		for (const path of inner?.files ?? []) files.push(`${nested}/${path}`);
		unreadableDirectories += inner?.unreadableDirectories ?? 0;
	}
	return { files, unreadableDirectories };
}

/** True when an ignore rule covers the directory itself: only then is an empty listing not the whole truth. */
export async function isIgnoredByGit(directory: string, options: GitListingOptions): Promise<boolean> {
	const output = await runGit(directory, ["check-ignore", "-q", "--", "."], options);
	return output.type === "exit" && output.code === 0;
}

async function listNested(directory: string, nested: string, options: GitListingOptions) {
	// An empty submodule has no .git of its own: git would answer for the repository around it.
	if (!(await exists(directory, `${nested}/.git`))) return undefined;
	return listFilesWithGit(join(directory, nested), { ...options, within: [] });
}

async function exists(directory: string, path: string): Promise<boolean> {
	return lstat(Buffer.concat([Buffer.from(`${directory}/`), encodeText(path)])).then(
		() => true,
		() => false,
	);
}

async function runGit(
	cwd: string,
	args: readonly string[],
	{ signal, giveUpAt }: GitListingOptions,
): Promise<ChildOutput> {
	const output = await readChildOutput({
		program: "git",
		args: ["--no-pager", ...SAFE_CONFIG.flatMap((entry) => ["-c", entry]), ...args],
		cwd,
		env: createGitEnvironment(),
		signal,
		deadlineMs: Math.max(0, giveUpAt - performance.now()),
	});
	if (output.type !== "deadline") return output;
	throw new WorkspaceError("too-costly", "git took too long to list the files. Name a smaller path.");
}

interface Records {
	/** Untracked files, and those of the index that belong in the work tree. */
	readonly listed: readonly string[];
	/** In the index, and outside of a sparse checkout. */
	readonly outside: readonly string[];
	/** Of the listed ones, those that are not on the disk, where they were asked for. */
	readonly gone: readonly string[];
	readonly repositories: readonly string[];
}

/** Records are `? path` for untracked files and `TAG mode object stage\tpath` for those of the index. */
function readRecords(text: string): Records {
	const [listed, outside, gone, repositories]: [string[], string[], string[], string[]] = [[], [], [], []];
	for (const record of text.split("\0")) {
		if (record === "") continue;
		const tag = record[0];
		const path = tag === "?" ? record.slice(2) : record.slice(record.indexOf("\t") + 1);
		if (path.endsWith("/")) repositories.push(path.slice(0, -1));
		else if (tag === "?") listed.push(path);
		else if (record.startsWith(GITLINK_MODE, 2)) repositories.push(path);
		else if (tag === "R") gone.push(path);
		else if (tag === "S") outside.push(path);
		// A file in conflict comes once for each of its stages, one after the other.
		else if (tag !== "M" || path !== listed.at(-1)) listed.push(path);
	}
	return { listed, outside, gone, repositories };
}
