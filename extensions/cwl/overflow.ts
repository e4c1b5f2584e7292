/**
 * Requests that become too long: the budget is tightened after a provider's refusal and the run continues once;
 * pi's own summarizing compaction is stopped while CWL manages the session, and a manual `/compact` still works.
 */
import { isContextOverflow } from "@mariozechner/pi-ai";
import type {
	ExtensionAPI,
	ExtensionContext,
	SessionBeforeCompactEvent,
} from "@mariozechner/pi-coding-agent";
import { isAnswer, isRefused, lastAnswer, OUR_MESSAGES, totalUsage } from "#pi/codec/host-message.ts";
import { frame } from "#pi/prompt/frames.ts";
import { formatTokens } from "#pi/screen/figures.ts";
import { saveBrief } from "./brief.ts";
import { showNextSize } from "./footer.ts";
import { tellProblem } from "./notice.ts";
import type { Runtime } from "./state/runtime.ts";

/** The share of the refused request that is tried next. */
const TIGHTER = 0.75;
/** The time in ms after which idleness is checked again: pi finishes a run only after its `agent_end`. */
const IDLE_STEP = 20;

export function registerOverflowRecovery(pi: ExtensionAPI, runtime: Runtime) {
	let isRetry = false;
	pi.on("agent_end", (event, ctx) => {
		const answer = lastAnswer(event.messages);
		if (!answer || !runtime.settings.isEnabled) return;
		// An answer that arrived is no refusal, whatever size its usage claims.
		if (!isRefused(answer)) {
			isRetry = false;
			return;
		}
		if (!isContextOverflow(answer, ctx.model?.contextWindow ?? 0)) return;
		void saveBrief(runtime, ctx);
		if (isRetry || !runtime.request.size) {
			tellProblem(
				ctx,
				"error",
				"the provider refuses this request as too long, also after a tighter pass. Set a smaller budget (/cwl settings budget) and send your message again.",
			);
			return;
		}
		isRetry = true;
		const budget = Math.floor(runtime.request.size.tokens * TIGHTER);
		runtime.scale.tighten(ctx, budget);
		tellProblem(
			ctx,
			"warning",
			`the provider refused a request as too long; trying once more with ${formatTokens(budget)} tokens.`,
		);
		goOn(pi, runtime, ctx);
	});
}

/** Start the next run as soon as this one is over. */
function goOn(pi: ExtensionAPI, runtime: Runtime, ctx: ExtensionContext) {
	if (!ctx.isIdle()) {
		setTimeout(() => goOn(pi, runtime, ctx), IDLE_STEP);
		return;
	}
	const lost = "The last request did not fit the model and was lost. Older content has left; go on.";
	const content = frame(runtime.injected.mark(ctx), "context-note", lost);
	pi.sendMessage({ customType: `${OUR_MESSAGES}overflow`, content, display: false }, { triggerTurn: true });
}

export function registerCompactionGuard(pi: ExtensionAPI, runtime: Runtime) {
	/** pi looks at the size once after a run and once before the next, never in between. */
	let isDue = false;
	/** The user learns of it once in a session; later hosts ask before every request. */
	let isAnnounced = false;

	pi.on("session_start", () => {
		isAnnounced = false;
	});
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
		return { cancel: true };
	});
	// The summary replaces messages that the log speaks of; the rest is read again with the next request.
	pi.on("session_compact", async (_event, ctx) => {
		runtime.injected.invalidate();
		await showNextSize(runtime, ctx);
	});
}

/** Later hosts say whether the compaction is automatic; pi 0.73.1 does not. */
function readReason(event: SessionBeforeCompactEvent): boolean | undefined {
	const reason = "reason" in event ? event.reason : undefined;
	return reason === undefined ? undefined : reason !== "manual";
}

/** Returns true if the last answer would trigger an automatic compaction: it failed (overflow), or its size is above the threshold. */
function isTriggered(event: SessionBeforeCompactEvent, contextWindow: number): boolean {
	const { settings } = event.preparation;
	if (!settings.enabled || event.customInstructions !== undefined) return false;
	const entry = event.branchEntries.findLast(
		(candidate) => candidate.type === "message" && isAnswer(candidate.message),
	);
	if (entry?.type !== "message" || !isAnswer(entry.message)) return false;
	return isRefused(entry.message) || totalUsage(entry.message) > contextWindow - settings.reserveTokens;
}
