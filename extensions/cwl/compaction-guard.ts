/** pi's own summarising compaction stays out while CWL manages the session; `/compact` by hand still works. */
import type { ExtensionAPI, SessionBeforeCompactEvent } from "@mariozechner/pi-coding-agent";
import type { Runtime } from "./runtime.ts";

export function registerCompactionGuard(pi: ExtensionAPI, runtime: Runtime) {
	pi.on("session_before_compact", (event, ctx) => {
		if (!runtime.loaded.settings.enabled || isManual(event, ctx.model?.contextWindow ?? 0)) return undefined;
		ctx.ui.notify(
			"cwl: stopped pi's automatic compaction; to summarise by hand use /compact with a word of instruction.",
		);
		return { cancel: true };
	});
	// The summary replaces messages that the log speaks of; what is left is read anew with the next request.
}

/**
 * Later hosts name the reason. pi 0.73.1 does not, so the call is automatic when what triggers that is there: an
 * error in the last answer (overflow), or a reported size above the threshold.
 */
function isManual(event: SessionBeforeCompactEvent, contextWindow: number): boolean {
	const reason = "reason" in event ? event.reason : undefined;
	if (reason !== undefined) return reason === "manual";
	if (event.customInstructions !== undefined) return true;
	const entry = event.branchEntries.findLast(
		(candidate) => candidate.type === "message" && candidate.message.role === "assistant",
	);
	if (entry?.type !== "message" || entry.message.role !== "assistant") return true;
	const { stopReason, usage } = entry.message;
	const reported = usage.totalTokens || usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
	return stopReason !== "error" && reported <= contextWindow - event.preparation.settings.reserveTokens;
}
