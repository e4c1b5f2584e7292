/** Notes how requests ask for thinking: in one of the modes, a pass must leave the thinking of the turn in progress alone. */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { isManualThinking } from "#pi";
import type { Runtime } from "./state/runtime.ts";

export function registerThinkingMode(pi: ExtensionAPI, runtime: Runtime) {
	pi.on("before_provider_request", ({ payload }) => {
		runtime.session.isManualThinking = isManualThinking(payload);
	});
}
