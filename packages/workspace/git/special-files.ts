/** Pipes, sockets and devices inside of git's own directory. git opens what it finds there, and checks no type. */
import { type Dirent, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Directories with entries beyond this number are left to git's deadline. */
const MAX_ENTRIES = 5000;
/** Loose objects are many; submodules and other work trees have a git of their own. */
const SKIPPED = /^(?:[0-9a-f]{2}|modules|worktrees|lfs)$/;
/** git's own file system monitor listens here; with `core.fsmonitor=false` no git of ours talks to it. */
const MONITOR_SOCKET = "fsmonitor--daemon.ipc";

/** Returns the first entry below a git directory that is neither a regular file nor a directory nor a link to one. */
export function findSpecialFile(gitDirectory: string): string | undefined {
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
	try {
		const target = statSync(path, { throwIfNoEntry: false });
		return target !== undefined && !target.isFile() && !target.isDirectory();
	} catch {
		return false;
	}
}
