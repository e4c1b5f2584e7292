/**
 * Hooks for what a provider caches and checks: breakpoints of Anthropic's cache, the thinking mode of requests, thinking
 * that was found invalid.
 */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { explainThinkingRefusal, lastAnswer, readInvalidThinking } from "#pi/codec";
import { countDroppedThinking } from "#pi/health";
import { type BreakpointMemory, isManualThinking, placeBreakpoints, resumeBreakpoints } from "#pi/requests";
import { showStatus } from "./footer.ts";
import { hasSystemMessages, onBranchOpened, tellProblem } from "./host.ts";
import type { Runtime } from "./state/runtime.ts";
import { readBranch } from "./state/session-state.ts";

function resume(ctx: ExtensionContext): BreakpointMemory {
	const { context, whole = context } = readBranch(ctx);
	return resumeBreakpoints(whole);
}

export function registerProviderRequests(pi: ExtensionAPI, runtime: Runtime) {
	/** Undefined until the first request to Anthropic. */
	let memory: BreakpointMemory | undefined;
	pi.on("session_start", () => {
		memory = undefined;
	});
	pi.on("before_provider_request", ({ payload }, ctx) => {
		runtime.lastRequest.isManualThinking = isManualThinking(payload);
		if (!runtime.settings.isEnabled || ctx.model?.api !== "anthropic-messages") return undefined;
		memory ??= resume(ctx);
		const placed = placeBreakpoints(payload, memory);
		memory = placed.memory;
		return placed.payload;
	});
}

/** Old hosts report nothing, and 0.73.1 ends before its last events are out when one more handler has to be called. */
export function registerDroppedThinking(pi: ExtensionAPI, runtime: Runtime) {
	if (!hasSystemMessages(pi)) return;
	function count({ sessionManager }: ExtensionContext) {
		runtime.health.droppedThinking = countDroppedThinking(sessionManager.getBranch());
	}
	onBranchOpened(pi, count);
	pi.on("turn_end", ({ message }, ctx) => {
		if (!readInvalidThinking(message)?.blocks && runtime.health.droppedThinking.lastBlocks === 0) return;
		count(ctx);
		showStatus(runtime, ctx);
	});
	pi.on("agent_end", ({ messages }, ctx) => {
		const answer = lastAnswer(messages);
		const explained = answer && runtime.settings.isEnabled && explainThinkingRefusal(answer);
		if (explained) tellProblem(ctx, "error", explained);
	});
}
