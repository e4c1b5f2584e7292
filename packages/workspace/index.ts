/**
 * Gitignore-aware glob and grep, git status, and checks of the paths that tools are given. The package knows no pi.
 * Importing it costs next to nothing: the search code and its libraries are loaded at the first call.
 */
import {
	createStatusWatcher as createWatcher,
	type StatusWatcher,
	type WatcherOptions,
} from "./git/git-watcher.ts";

export type { GitStatus } from "./git/git-status.ts";
export type { StatusWatcher, WatcherOptions } from "./git/git-watcher.ts";
export { formatGitStatus } from "./git/status-text.ts";
export type { GlobRequest } from "./glob/glob.ts";
export { formatGlobResult } from "./glob/glob.ts";
export type { GrepRequest } from "./grep/grep.ts";
export { formatGrepResult } from "./grep/grep.ts";
export { findRipgrep } from "./grep/ripgrep.ts";
export { findProgram } from "./process/child-output.ts";
export { formatWithin, showName } from "./text/shown-text.ts";
export { WorkspaceError } from "./workspace-error.ts";

type Tools = typeof import("./tools.ts");

let tools: Promise<Tools> | undefined;

/** One import for all: jiti would give the second of two imports at once a module that has not run yet. */
function loadTools(): Promise<Tools> {
	tools ??= import("./tools.ts");
	return tools;
}

/** Finds the files whose path matches a glob; see glob/glob.ts. @throws WorkspaceError */
export const glob: Tools["glob"] = async (...call) => (await loadTools()).glob(...call);

/** Finds the lines that match a pattern; see grep/grep.ts. @throws WorkspaceError */
export const grep: Tools["grep"] = async (...call) => (await loadTools()).grep(...call);

/** Lists the files of a directory that are not ignored; see listing/file-listing.ts. @throws WorkspaceError */
export const listFiles: Tools["listFiles"] = async (...call) => (await loadTools()).listFiles(...call);

/** Refuses a path that a file tool could not read in bounded time; see files/file-guard.ts. @throws WorkspaceError */
export const checkFile: Tools["checkFile"] = async (...call) => (await loadTools()).checkFile(...call);

/** Reads the state of a work tree within a deadline; see git/git-status.ts. Never throws. */
export const readGitStatus: Tools["readGitStatus"] = async (...call) =>
	(await loadTools()).readGitStatus(...call);

/** Keeps the status of a work tree in memory; see git/git-watcher.ts. */
export function createStatusWatcher(cwd: string, options?: WatcherOptions): StatusWatcher {
	return createWatcher(readGitStatus, cwd, options);
}
