/** Requests that become too long: the budget is tightened after a provider's refusal, and the run continues once. */
import { isContextOverflow } from "@mariozechner/pi-ai";
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { isRefused, lastAnswer } from "#pi/codec";
import { saveBrief } from "./brief.ts";
import { tellProblem } from "./host.ts";
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
		void saveBrief(runtime, ctx, "refused request");
		if (isRetry || !runtime.lastRequest.size) {
			tellProblem(
				ctx,
				"error",
				"the provider refuses this request as too long, also after a tighter pass. Set a smaller budget (/cwl settings budget) and send your message again.",
			);
			return;
		}
		isRetry = true;
		const budget = Math.floor(runtime.lastRequest.size.tokens * TIGHTER);
		runtime.gauge.tighten(ctx, budget);
		const { sizes } = runtime.gauge.read(ctx);
		tellProblem(
			ctx,
			"warning",
			`the provider refused a request as too long; trying once more with ${sizes.showWhole(budget)} tokens.`,
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
	pi.sendMessage(runtime.injected.message(ctx, "context-note", lost), { triggerTurn: true });
}
