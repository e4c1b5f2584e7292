import { existsSync } from "node:fs";
import { relative } from "node:path";
import { isIgnoredByGit, listFilesWithGit } from "./git-listing.ts";
import { type Walk, walkTree } from "./tree-walk.ts";

export interface ListingOptions {
	readonly cwd: string;
	/** Directories below `directory`, with `/`, outside of which nothing is wanted; none means all of it. */
	readonly within: readonly string[];
	/** Whether files may be among the answer that git tracks and that are gone from the disk: who opens them will see. */
	readonly withGone?: boolean;
	readonly signal?: AbortSignal | undefined;
}

export interface FileListing {
	/** Relative to the directory, in the order of their UTF-16 code units. */
	readonly files: readonly string[];
	/** `git` knows every rule; `walk` knows the .gitignore files below the workspace, and no others. */
	readonly listedBy: "git" | "walk";
	readonly unreadableDirectories: number;
}

const DEADLINE_MS = 10_000;

/**
 * The files of a directory that are not ignored. In a work tree git is asked; elsewhere, and where git has no answer,
 * the tree is walked. A directory that is itself ignored but was named all the same is walked as asked for.
 *
 * @throws WorkspaceError `aborted` or `too-costly`
 */
export async function listFiles(directory: string, options: ListingOptions): Promise<FileListing> {
	const within = options.within.map((narrow) => stopAtRepository(directory, narrow));
	const { signal, withGone = false } = options;
	const limits = { within, withGone, signal, giveUpAt: performance.now() + DEADLINE_MS };
	const listed = await listFilesWithGit(directory, limits);
	if (listed !== undefined && (listed.files.length > 0 || !(await isIgnoredByGit(directory, limits)))) {
		return { ...listed, files: listed.files.toSorted(), listedBy: "git" };
	}
	const inner = listed === undefined ? await walkFrom(directory, options.cwd, limits) : undefined;
	const walk = inner ?? (await walkTree(directory, limits));
	return { ...walk, files: walk.files.toSorted(), listedBy: "walk" };
}

/** Comparison by UTF-16 code unit: the same on every machine, unlike a locale's. */
export function compareText(left: string, right: string): number {
	if (left === right) return 0;
	return left < right ? -1 : 1;
}

type Limits = Parameters<typeof walkTree>[1];

/** The walk starts at the workspace, since its .gitignore holds in the directory too. */
async function walkFrom(directory: string, cwd: string, limits: Limits): Promise<Walk | undefined> {
	const below = relative(cwd, directory).replaceAll("\\", "/");
	if (below === "" || below.startsWith("..") || below.startsWith("/") || below.includes(":"))
		return undefined;
	const starts = limits.within.length === 0 ? [below] : limits.within.map((narrow) => `${below}/${narrow}`);
	const walk = await walkTree(cwd, { ...limits, within: starts });
	if (walk.files.length === 0) return undefined;
	return { ...walk, files: walk.files.map((path) => path.slice(below.length + 1)) };
}

/** git lists a repository inside this one as a single entry, and no path below it: confine to the entry instead. */
function stopAtRepository(directory: string, narrow: string): string {
	const segments = narrow.split("/");
	for (let depth = 1; depth < segments.length; depth += 1) {
		const outer = segments.slice(0, depth).join("/");
		if (existsSync(`${directory}/${outer}/.git`)) return outer;
	}
	return narrow;
}
