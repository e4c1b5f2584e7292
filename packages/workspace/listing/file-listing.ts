import { existsSync } from "node:fs";
import { relative } from "node:path";
import { countOf } from "#basics";
import { errorCode } from "../workspace-error.ts";
import { type GitListing, isIgnoredByGit, listFilesWithGit } from "./git-listing.ts";
import { type Walk, type WalkOptions, walkTree } from "./tree-walk.ts";

export interface WorkspaceContext {
	/** The workspace, an absolute path. */
	readonly cwd: string;
	readonly signal?: AbortSignal | undefined;
	/** Milliseconds for the listing, git and the walk together, and again for the search of the files; default 10,000. */
	readonly deadlineMs?: number | undefined;
}

export interface ListingOptions extends WorkspaceContext {
	/** Directories below `directory`, with `/`, to list; none means all of it. */
	readonly within: readonly string[];
}

/** Places below a directory whose files are missing in a listing. */
export interface ListingGaps {
	readonly unreadableDirectories: number;
	/** Repositories inside of the workspace's, for which neither git nor a walk had an answer in time. */
	readonly unlistedRepositories: number;
}

/** A sentence for each kind of gap, without a period. */
export function describeGaps({
	unreadableDirectories,
	unlistedRepositories,
}: ListingGaps): readonly string[] {
	const gaps: string[] = [];
	if (unreadableDirectories > 0)
		gaps.push(`${countOf(unreadableDirectories, "directory", "directories")} could not be read`);
	if (unlistedRepositories > 0) {
		const repositories = countOf(
			unlistedRepositories,
			"submodule or nested repository",
			"submodules or nested repositories",
		);
		gaps.push(`partial: time was up before ${repositories} could be listed; name one as path`);
	}
	return gaps;
}

export interface FileListing extends ListingGaps {
	/** Relative to the directory, in the order of their UTF-16 code units. */
	readonly files: readonly string[];
	/** `git` knows every rule; `walk` knows the .gitignore files below the workspace, and no others. */
	readonly listedBy: "git" | "walk";
}

const DEADLINE_MS = 10_000;
/** The time that git has, in ms, and its share of a short deadline: git waits forever for a pipe in the place of an ignore file. */
const GIT_MS = 4_000;
const GIT_SHARE = 0.4;

/**
 * Lists the files of a directory that are not ignored. In a work tree git is asked; elsewhere, and where git has no
 * answer, the tree is walked. A directory that is itself ignored is walked when it is named.
 *
 * @throws WorkspaceError `aborted` or `too-costly`
 */
export async function listFiles(directory: string, options: ListingOptions): Promise<FileListing> {
	const within = options.within.map((narrow) => stopAtRepository(directory, narrow));
	const { cwd, signal, deadlineMs = DEADLINE_MS } = options;
	const now = performance.now();
	const request: Request = { directory, cwd, within, signal, giveUpAt: now + deadlineMs };
	const forGit = { within, signal, giveUpAt: now + Math.min(GIT_MS, GIT_SHARE * deadlineMs) };
	const listed = await listFilesWithGit(directory, forGit);
	if (listed === undefined) return describeWalk(await walk(request));
	const isWhole = listed.files.length > 0 || !(await isIgnoredByGit(directory, forGit));
	if (isWhole) return addUnanswered(listed, request);
	return describeWalk(await walkTree(directory, request));
}

interface Request extends WalkOptions {
	readonly cwd: string;
	readonly directory: string;
}

/** Walks the repositories inside of this one for which git had no answer, as long as there is time. */
async function addUnanswered(listed: GitListing, request: Request): Promise<FileListing> {
	const files = [...listed.files];
	let { unreadableDirectories } = listed;
	let unlistedRepositories = 0;
	for (const nested of listed.unanswered) {
		const walked = await walkTree(`${request.directory}/${nested}`, { ...request, within: [] }).catch(
			(error: unknown) => {
				if (errorCode(error) !== "too-costly") throw error;
				return undefined;
			},
		);
		if (walked === undefined) unlistedRepositories += 1;
		for (const path of walked?.files ?? []) files.push(`${nested}/${path}`);
		unreadableDirectories += walked?.unreadableDirectories ?? 0;
	}
	return { files: files.toSorted(), listedBy: "git", unreadableDirectories, unlistedRepositories };
}

/** The rules of the workspace hold in the directory too, unless they leave nothing of it. */
async function walk(request: Request): Promise<Walk> {
	const { cwd, directory, within } = request;
	const below = relative(cwd, directory).replaceAll("\\", "/");
	if (below === "" || /^(?:\.\.|\/)|:/.test(below)) return walkTree(directory, request);
	const starts = within.length === 0 ? [below] : within.map((narrow) => `${below}/${narrow}`);
	const walked = await walkTree(cwd, { ...request, within: starts });
	if (walked.files.length === 0) return walkTree(directory, request);
	return { ...walked, files: walked.files.map((path) => path.slice(below.length + 1)) };
}

function describeWalk({ files, unreadableDirectories }: Walk): FileListing {
	return { files: files.toSorted(), unreadableDirectories, unlistedRepositories: 0, listedBy: "walk" };
}

/** git lists a repository inside of this one as a single entry, and no path below it: confine to the entry instead. */
function stopAtRepository(directory: string, narrow: string): string {
	const segments = narrow.split("/");
	const above = segments.slice(1).map((_, at) => segments.slice(0, at + 1).join("/"));
	return above.find((outer) => existsSync(`${directory}/${outer}/.git`)) ?? narrow;
}
