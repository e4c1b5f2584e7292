/** Stops a model that looks at the same thing over and over: its call is refused, and in the end its run. */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { createLoopBreaker } from "#core/health";
import { defaultToolTable, outputText } from "#pi";
import { tellProblem } from "./notice.ts";
import { onBranchOpened } from "./state/lifecycle.ts";
import type { Runtime } from "./state/runtime.ts";

export function registerLoopGuard(pi: ExtensionAPI, runtime: Runtime) {
	const breaker = createLoopBreaker(defaultToolTable);
	let seenPass = runtime.session.lastPass();
	const reset = () => breaker.reset();
	onBranchOpened(pi, reset);
	pi.on("agent_start", reset);
	pi.on("tool_call", ({ toolName, input }, ctx) => {
		if (!runtime.settings.isEnabled) return undefined;
		// What a pass took has to be looked at again.
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
		// A refusal of ours is no answer.
		if (!isError) breaker.answered(toolName, input, outputText(content));
	});
}
