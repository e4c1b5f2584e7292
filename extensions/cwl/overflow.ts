/**
 * A provider that refuses a request as too long knows better than we do what fits: the budget is tightened for this
 * model and session, and the run goes on by itself, once.
 */

import { isContextOverflow } from "@mariozechner/pi-ai";
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { formatTokens, frame, isRefused, lastAnswer, OUR_MESSAGES } from "#pi";
import { tellProblem } from "./notice.ts";
import type { Runtime } from "./state/runtime.ts";

/** Of the request that was refused, this share is tried next. */
const TIGHTER = 0.75;
/** pi ends its own work on a run after telling of its end; looked at in steps of so many ms. */
const IDLE_STEP = 20;

export function registerOverflowRecovery(pi: ExtensionAPI, runtime: Runtime) {
	let isRetry = false;
	pi.on("agent_end", (event, ctx) => {
		const answer = lastAnswer(event.messages);
		if (!answer || !runtime.settings.isEnabled) return;
		// An answer that came is no refusal, whatever size its usage claims.
		if (!isRefused(answer)) {
			isRetry = false;
			return;
		}
		if (!isContextOverflow(answer, ctx.model?.contextWindow ?? 0)) return;
		if (isRetry || !runtime.session.size) {
			tellProblem(
				ctx,
				"error",
				"the provider refuses this request as too long, also after a tighter pass. Set a smaller budget (/cwl budget) and send your message again.",
			);
			return;
		}
		isRetry = true;
		const budget = Math.floor(runtime.session.size.tokens * TIGHTER);
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
