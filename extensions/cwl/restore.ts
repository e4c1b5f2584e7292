/** State comes from the session's branch whenever pi opens one or moves on it. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { flags } from "#pi";
import { setOwnToolsActive } from "./own-tools.ts";
import type { Runtime } from "./runtime.ts";
import { showStatus } from "./status.ts";

export function registerRestore(pi: ExtensionAPI, runtime: Runtime) {
	for (const { name, description } of Object.values(flags)) {
		pi.registerFlag(name, { description, type: "string" });
	}

	const restore = async (ctx: ExtensionContext) => {
		await runtime.restore(ctx);
		setOwnToolsActive(pi, runtime.loaded.settings.enabled);
		showStatus(runtime, ctx);
	};
	pi.on("session_start", (_event, ctx) => restore(ctx));
	pi.on("session_tree", (_event, ctx) => restore(ctx));
}
