import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { expandLikePi } from "./search-path.ts";
import { showName } from "./shown-name.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** The host reads a file as a whole, several times its size in memory; in bytes. */
const LARGEST = 256 * 1024 * 1024;

/**
 * Lets pass what a tool that reads or writes a file can do in bounded time: a regular file that is not huge, and
 * whatever is not there, of which the tool itself says so. A pipe or a device would hold up the session for ever.
 *
 * @throws WorkspaceError `not-a-file` or `too-large`
 */
export async function checkFile(named: string, cwd: string): Promise<void> {
	for (const path of new Set([named, expandLikePi(named)])) {
		const stats = await statFile(resolve(cwd, path));
		if (stats === undefined) continue;
		const shown = showName(named);
		if (stats.isDirectory()) throw notAFile(`${shown} is a directory. List it with glob.`);
		if (!stats.isFile()) throw notAFile(`${shown} is a pipe, socket or device, not a file.`);
		if (stats.size <= LARGEST) return;
		const size = `${Math.round(stats.size / 2 ** 20)} MiB`;
		const advice = "Use bash (head, tail, sed, grep) for parts of it.";
		throw new WorkspaceError("too-large", `${shown} is too large: ${size}, at most 256. ${advice}`);
	}
}

function notAFile(message: string): WorkspaceError {
	return new WorkspaceError("not-a-file", message);
}

/** Undefined for what is not there or cannot be looked at. */
async function statFile(path: string) {
	return path.includes("\0") ? undefined : stat(path).catch(() => undefined);
}
