import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { showName } from "../text/shown-name.ts";
import { WorkspaceError } from "../workspace-error.ts";
import { expandLikePi } from "./search-path.ts";

/** In bytes. The host reads a file as a whole, and takes several times its size in memory. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Refuses a path that a file tool could not read or write in bounded time: a pipe or a device would block the session
 * forever. A missing file passes, since the tool itself reports it.
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
		if (stats.size <= MAX_BYTES) return;
		const size = `${Math.round(stats.size / 2 ** 20)} MiB`;
		const advice = "Use bash (head, tail, sed, grep) for parts of it.";
		throw new WorkspaceError("too-large", `${shown} is too large: ${size}, at most 256. ${advice}`);
	}
}

function notAFile(message: string): WorkspaceError {
	return new WorkspaceError("not-a-file", message);
}

/** Undefined for a path that is missing or cannot be reached. */
async function statFile(path: string) {
	return path.includes("\0") ? undefined : stat(path).catch(() => undefined);
}
