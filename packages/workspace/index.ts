/**
 * Gitignore-aware glob and grep, git status, and checks of the paths that tools are given. The package knows no pi. The
 * extension imports it at the first call of a tool; the libraries of the search are loaded later still, when one is needed.
 */
export { checkFile } from "./files/search-path.ts";
export { createStatusWatcher, type StatusWatcher, type WatcherOptions } from "./git/git-watcher.ts";
export { type GitStatus, readGitStatus } from "./git/read-status.ts";
export { formatGitStatus } from "./git/status-text.ts";
export { glob } from "./glob/glob.ts";
export { formatGrepResult, type GrepRequest, grep } from "./grep/grep.ts";
export { findRipgrep } from "./grep/ripgrep.ts";
export { listFiles } from "./listing/file-listing.ts";
export { findProgram } from "./process/child-output.ts";
export { searchTools } from "./search-tools.ts";
export { WorkspaceError } from "./workspace-error.ts";
