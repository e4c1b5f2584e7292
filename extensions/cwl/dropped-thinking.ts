/** Counts the thinking that the provider found invalid, of which `alerts.ts` tells, and explains refusals because of it. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { countDroppedThinking, explainThinkingRefusal, lastAnswer, readInvalidThinking } from "#pi";
import { showStatus } from "./footer.ts";
import { hasSystemMessages } from "./host-events.ts";
import { tellProblem } from "./notice.ts";
import { onBranchOpened } from "./state/lifecycle.ts";
import type { Runtime } from "./state/runtime.ts";

/** Old hosts report nothing, and 0.73.1 ends before its last events are out when one more handler has to be called. */
export function registerDroppedThinking(pi: ExtensionAPI, runtime: Runtime) {
	if (!hasSystemMessages(pi)) return;
	function count({ sessionManager }: ExtensionContext) {
		runtime.session.droppedThinking = countDroppedThinking(sessionManager.getBranch());
	}
	onBranchOpened(pi, count);
	pi.on("turn_end", ({ message }, ctx) => {
		if (!readInvalidThinking(message)?.blocks && runtime.session.droppedThinking.lastBlocks === 0) return;
		count(ctx);
		showStatus(runtime, ctx);
	});
	pi.on("agent_end", ({ messages }, ctx) => {
		const answer = lastAnswer(messages);
		const explained = answer && runtime.settings.isEnabled && explainThinkingRefusal(answer);
		if (explained) tellProblem(ctx, "error", explained);
	});
}
