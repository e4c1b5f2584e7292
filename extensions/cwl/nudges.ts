/**
 * Guidance for the model: a line in a tool result when its marks fall behind, which costs no request, and the
 * refusal of a call that it repeats over and over.
 */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { DELIMITER } from "#core/annotation";
import { createLoopBreaker, type Nudge, nudgeFor } from "#core/health";
import { defaultToolTable } from "#pi";
import { outputText } from "#pi/codec";
import { onBranchOpened, tellProblem } from "./host.ts";
import type { Runtime } from "./state/runtime.ts";

export function registerNudges(pi: ExtensionAPI, runtime: Runtime) {
	/** The last one since the session was opened: a resumed session may get the same one once more. */
	let last: Nudge | undefined;
	onBranchOpened(pi, () => {
		last = undefined;
	});
	runtime.injected.withResults("context-note", async (ctx, event) => {
		if (!runtime.settings.isEnabled || event.toolName === DELIMITER) return undefined;
		const { zone } = runtime.request;
		if (zone?.action === "nudge") {
			runtime.request.zone = { ...zone, action: "nothing" };
			return `the context is in the ${zone.zone} zone: end the episode with what you learned once it is done, and read only the lines you need.`;
		}
		if (!pi.getActiveTools().includes(DELIMITER)) return undefined;
		const { graph } = (await runtime.session.managed()).state();
		const { budget } = await runtime.session.requestSettings(ctx);
		const nudge = nudgeFor(graph, defaultToolTable, budget, last);
		last = nudge ?? last;
		return nudge?.text;
	});
}

export function registerLoopGuard(pi: ExtensionAPI, runtime: Runtime) {
	const breaker = createLoopBreaker(defaultToolTable);
	let seenPass = runtime.session.lastPass();
	const reset = () => breaker.reset();
	onBranchOpened(pi, reset);
	pi.on("agent_start", reset);
	pi.on("tool_call", ({ toolName, input }, ctx) => {
		if (!runtime.settings.isEnabled) return undefined;
		// The model has to read again what a pass took.
		if (runtime.session.lastPass() !== seenPass) reset();
		seenPass = runtime.session.lastPass();
		const verdict = breaker.ask(toolName, input);
		if (verdict.type === "go") return undefined;
		if (verdict.type === "stop") {
			tellProblem(
				ctx,
				"error",
				`the run was stopped in a loop: ${verdict.reason} Tell the model what to do next.`,
			);
			ctx.abort();
		}
		return { block: true, reason: verdict.reason };
	});
	pi.on("tool_result", ({ toolName, input, content, isError }) => {
		// A call that the guard refused has no answer.
		if (!isError) breaker.answered(toolName, input, outputText(content));
	});
}
