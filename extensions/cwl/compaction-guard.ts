/** pi's own summarizing compaction is stopped while CWL manages the session; a manual `/compact` still works. */
import { isContextOverflow } from "@mariozechner/pi-ai";
import type { ExtensionAPI, SessionBeforeCompactEvent } from "@mariozechner/pi-coding-agent";
import * as host from "@mariozechner/pi-coding-agent";
import { fieldsOf } from "#basics";
import { hasFailed, lastAnswer, messagesOf } from "#pi/codec";
import { showNextSize, showStatus } from "./footer.ts";
import type { Runtime } from "./state/runtime.ts";

export function registerCompactionGuard(pi: ExtensionAPI, runtime: Runtime) {
	/** True once a run has ended: pi compares the size with its limit then, and once more before the next run. */
	let isDue = false;
	/** The user learns of it once; later hosts ask before every request. */
	let isAnnounced = false;

	pi.on("agent_end", () => {
		isDue = true;
	});
	pi.on("input", () => {
		isDue = true;
	});
	pi.on("before_agent_start", () => {
		isDue = false;
	});
	pi.on("session_before_compact", (event, ctx) => {
		const isAutomatic = readReason(event) ?? (isDue && isTriggered(event, ctx.model?.contextWindow ?? 0));
		isDue = false;
		if (!runtime.settings.isEnabled || !isAutomatic) return undefined;
		if (!isAnnounced) {
			ctx.ui.notify("cwl: stopped pi's automatic compaction; to summarise by hand use /compact.");
		}
		isAnnounced = true;
		runtime.health.isCompactionStopped = true;
		showStatus(runtime, ctx);
		return { cancel: true };
	});
	// The summary replaces messages that the log speaks of; the rest is read again with the next request.
	pi.on("session_compact", async (_event, ctx) => {
		runtime.lastRequest.cachedShare = undefined;
		runtime.injected.invalidate();
		await showNextSize(runtime, ctx);
	});
}

/** Later hosts say whether the compaction is automatic; pi 0.73.1 does not. */
function readReason(event: SessionBeforeCompactEvent): boolean | undefined {
	const reason = "reason" in event ? event.reason : undefined;
	return reason === undefined ? undefined : reason !== "manual";
}

/** Returns true if the last answer would trigger an automatic compaction, as pi 0.73.1 decides it: the provider refused its request as too long, or the last size that was reported is above the threshold. */
function isTriggered(event: SessionBeforeCompactEvent, contextWindow: number): boolean {
	const { settings } = event.preparation;
	const messages = messagesOf(event.branchEntries);
	const answer = lastAnswer(messages);
	if (!answer || !settings.enabled || event.customInstructions !== undefined) return false;
	if (isContextOverflow(answer, contextWindow)) return true;
	const reported = lastAnswer(messages.filter((message) => !hasFailed(fieldsOf(message))));
	const used = reported ? host.calculateContextTokens(reported.usage) : 0;
	return host.shouldCompact(used, contextWindow, settings);
}
