/** Counts the thinking of the session that the provider found invalid; `alerts.ts` tells of it. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { countDroppedThinking, readInvalidThinking } from "#pi";
import { onBranchOpened } from "./state/lifecycle.ts";
import type { Runtime } from "./state/runtime.ts";
import { showStatus } from "./status.ts";

export function registerDroppedThinking(pi: ExtensionAPI, runtime: Runtime) {
	function count({ sessionManager }: ExtensionContext) {
		runtime.session.droppedThinking = countDroppedThinking(sessionManager.getBranch());
	}
	onBranchOpened(pi, count);
	pi.on("turn_end", ({ message }, ctx) => {
		if (!readInvalidThinking(message)?.blocks && runtime.session.droppedThinking.lastBlocks === 0) return;
		count(ctx);
		showStatus(runtime, ctx);
	});
}
