/** State comes from the session's branch whenever pi opens one or moves on it. */

import { statSync } from "node:fs";
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { countOf } from "#basics";
import { flags } from "#pi/settings";
import { showNextSize, showStatus } from "./footer.ts";
import { onBranchOpened, tellNotice } from "./host.ts";
import type { Runtime } from "./state/runtime.ts";
import { setOwnToolsActive } from "./tools.ts";

export function registerRestore(pi: ExtensionAPI, runtime: Runtime) {
	for (const { name, description } of Object.values(flags)) {
		pi.registerFlag(name, { description, type: "string" });
	}

	pi.on("session_start", (_event, ctx) => tellReading(ctx));
	onBranchOpened(pi, async (ctx) => {
		await runtime.restore(ctx);
		setOwnToolsActive(pi, runtime.settings.isEnabled);
		showStatus(runtime, ctx);
		// Not awaited: counting a resumed session's tokens must not delay its start.
		void showSize(runtime, ctx);
	});
}

/** Smaller files are read within a second; in bytes. */
const LARGE_FILE = 4_000_000;

/** Says what the first request waits for, where that takes a while. */
function tellReading(ctx: ExtensionContext) {
	const file = ctx.sessionManager.getSessionFile();
	const bytes = file === undefined ? 0 : (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
	if (bytes < LARGE_FILE) return;
	const entries = ctx.sessionManager.getBranch().length;
	const what = `${countOf(entries, "entry", "entries")} (${Math.round(bytes / 1e6)} MB)`;
	tellNotice(ctx, `reading ${what} of this session; the first request goes out after that.`);
}

/** The footer shows the size of a resumed session before its first request. */
async function showSize(runtime: Runtime, ctx: ExtensionContext) {
	if (!ctx.hasUI || !runtime.settings.isEnabled) return;
	try {
		await showNextSize(runtime, ctx);
	} catch {
		// The session may be closed by now, and the first request reports a fault that lasts.
	}
}
