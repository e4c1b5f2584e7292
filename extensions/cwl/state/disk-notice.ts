/** The notice about a disk that refuses what belongs to the session: one, whatever could not be written, until a write works again. */
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { messageOf } from "#pi";
import { tellProblem } from "../host.ts";

export function createDiskNotice() {
	let isRefusing = false;
	return {
		/** True since a write failed. */
		isRefusing: () => isRefusing,
		refused(ctx: ExtensionContext, error: unknown) {
			if (isRefusing) return;
			isRefusing = true;
			const problem = `the session file cannot be kept whole (${messageOf(error)}): what comes now is in memory only.`;
			const remedy = "Free the disk or allow writing: what is missing is then written.";
			const file = ctx.sessionManager.getSessionFile();
			tellProblem(ctx, "error", [problem, remedy, ...(file ? [`File: ${file}`] : [])].join(" "));
		},
		written() {
			isRefusing = false;
		},
	};
}
