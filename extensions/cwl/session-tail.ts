/**
 * A process that is killed while it writes leaves its session file without a line end. pi skips such a line when it
 * reads, but appends the next entry to it: that entry would then be lost, and all before it cut off from the branch.
 */
import { appendFileSync, closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { tellProblem } from "./notice.ts";

export function registerSessionTail(pi: ExtensionAPI) {
	pi.on("session_start", (_event, ctx) => {
		const file = ctx.sessionManager.getSessionFile();
		if (file === undefined || endsWhole(file)) return;
		try {
			appendFileSync(file, "\n");
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			tellProblem(
				ctx,
				"error",
				`the session file ${file} ends in the middle of a line and cannot be written (${reason}): what comes now will be lost. Free the disk or its permissions, and open the session again.`,
			);
		}
	});
}

/** Whether a file ends with a line end; so does one that is empty, or not there yet. */
function endsWhole(path: string): boolean {
	let file: number;
	try {
		file = openSync(path, "r");
	} catch {
		return true;
	}
	try {
		const last = Buffer.alloc(1);
		const { size } = fstatSync(file);
		return size === 0 || readSync(file, last, 0, 1, size - 1) === 0 || last[0] === 0x0a;
	} finally {
		closeSync(file);
	}
}
