/** Stops a model that looks at the same thing over and over: its call is refused, and in the end its run. */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { createLoopBreaker, defaultToolTable } from "#core";
import { outputText } from "#pi";
import { tellProblem } from "./notice.ts";
import type { Runtime } from "./runtime.ts";

export function registerLoopGuard(pi: ExtensionAPI, runtime: Runtime) {
	const breaker = createLoopBreaker(defaultToolTable);
	let seenPass = runtime.lastPass;
	const reset = () => breaker.reset();
	pi.on("session_start", reset);
	pi.on("session_tree", reset);
	pi.on("agent_start", reset);
	pi.on("tool_call", ({ toolName, input }, ctx) => {
		if (!runtime.loaded.settings.enabled) return undefined;
		// What a pass took has to be looked at again.
		if (runtime.lastPass !== seenPass) reset();
		seenPass = runtime.lastPass;
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
