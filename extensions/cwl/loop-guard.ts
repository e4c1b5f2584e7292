/** Refuses a call that the model repeats over and over, and ends a run that does not stop repeating it. */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { createLoopBreaker } from "#core/health";
import { defaultToolTable } from "#pi";
import { onBranchOpened, tellProblem } from "./host.ts";
import type { Runtime } from "./state/runtime.ts";

export function registerLoopGuard(pi: ExtensionAPI, runtime: Runtime) {
	const breaker = createLoopBreaker(defaultToolTable);
	/** The calls that the guard refused, which have no answer. */
	const refused = new Set<string>();
	let seenPass = runtime.session.lastPass();
	const reset = () => breaker.reset();
	onBranchOpened(pi, reset);
	pi.on("agent_start", reset);
	pi.on("tool_call", ({ toolName, input, toolCallId }, ctx) => {
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
		refused.add(toolCallId);
		return { block: true, reason: verdict.reason };
	});
	pi.on("tool_result", ({ toolName, input, content, toolCallId }) => {
		if (!refused.delete(toolCallId)) breaker.answered(toolName, input, JSON.stringify(content));
	});
}
