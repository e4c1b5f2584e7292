/** Our entries of the session file, in a running pi. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { createLogWriter, type LogWriter } from "#pi";
import { tellProblem } from "../notice.ts";

/** A disk that refuses an entry is told, and refuses nothing else: `session-file.ts` writes what pi still holds. */
export function openLog(pi: ExtensionAPI, ctx: ExtensionContext): LogWriter {
	return createLogWriter(
		(type, data) => pi.appendEntry(type, data),
		(what, reason) =>
			tellProblem(ctx, "error", `${what} could not be written to the session file (${reason}).`),
	);
}
