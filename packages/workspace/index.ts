/** Gitignore-aware glob and grep, and git status. Knows no pi. Heavy libraries load at first use. */
export { checkFile } from "./file-guard.ts";
export { listFiles } from "./file-listing.ts";
export { readGitStatus } from "./git-status.ts";
export { createStatusWatcher, type StatusWatcher, type WatcherOptions } from "./git-watcher.ts";
export { formatGlobResult, type GlobRequest, glob } from "./glob.ts";
export { type GrepRequest, grep } from "./grep.ts";
export { formatGrepResult } from "./grep-text.ts";
export { showName } from "./shown-name.ts";
export { formatGitStatus } from "./status-text.ts";
export { WorkspaceError } from "./workspace-error.ts";
