/** State comes from the session's branch whenever pi opens one or moves on it. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { flags } from "#pi";
import { showStatus } from "./footer.ts";
import { onBranchOpened } from "./state/lifecycle.ts";
import type { Runtime } from "./state/runtime.ts";
import { setOwnToolsActive } from "./switch-own-tools.ts";

export function registerRestore(pi: ExtensionAPI, runtime: Runtime) {
	for (const { name, description } of Object.values(flags)) {
		pi.registerFlag(name, { description, type: "string" });
	}

	onBranchOpened(pi, async (ctx) => {
		await runtime.restore(ctx);
		setOwnToolsActive(pi, runtime.settings.isEnabled);
		showStatus(runtime, ctx);
		// Not awaited: counting a resumed session's tokens must not delay its start.
		void showSize(runtime, ctx);
	});
}

/** The footer shows the size of a resumed session before its first request. */
async function showSize(runtime: Runtime, ctx: ExtensionContext) {
	if (!ctx.hasUI || !runtime.settings.isEnabled) return;
	try {
		await runtime.session.remeasure(ctx);
		showStatus(runtime, ctx);
	} catch {
		// The session may be closed by now, and the first request reports a fault that lasts.
	}
}
