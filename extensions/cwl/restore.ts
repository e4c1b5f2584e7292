/** State comes from the session's branch whenever pi opens one or moves on it. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { setOwnToolsActive } from "./own-tools.ts";
import type { Runtime } from "./runtime.ts";
import { showStatus } from "./status.ts";

export function registerRestore(pi: ExtensionAPI, runtime: Runtime) {
	pi.registerFlag("cwl-budget", {
		description: "Context budget: tokens (80000, 80k) or 40%",
		type: "string",
	});
	pi.registerFlag("cwl-policy", { description: "Eviction policy", type: "string" });

	const restore = async (ctx: ExtensionContext) => {
		await runtime.restore(ctx);
		setOwnToolsActive(pi, runtime.loaded.settings.enabled);
		showStatus(runtime, ctx);
	};
	pi.on("session_start", (_event, ctx) => restore(ctx));
	pi.on("session_tree", (_event, ctx) => restore(ctx));
}
