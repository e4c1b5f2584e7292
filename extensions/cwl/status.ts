/** The footer line: used and budget, and what was last evicted. */
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { Pass } from "../../packages/core/log.ts";
import { budgetTokens, formatTokens } from "../../packages/host/budget.ts";
import type { Runtime } from "./runtime.ts";

export function showStatus(runtime: Runtime, ctx: ExtensionContext) {
	ctx.ui.setStatus("cwl", statusLine(runtime, ctx));
}

function statusLine(runtime: Runtime, ctx: ExtensionContext): string {
	const { settings } = runtime.loaded;
	if (!settings.enabled) return "cwl off";
	const budget = formatTokens(budgetTokens(settings.budget, ctx.model?.contextWindow));
	if (!runtime.last) return `cwl -/${budget}`;
	const tokens = (counted: number) => formatTokens(runtime.reported(ctx, counted));
	const used = tokens(runtime.last.tokens);
	const pass = runtime.lastPass;
	return pass ? `cwl ${used}/${budget} · ${describePass(pass)}` : `cwl ${used}/${budget}`;
}

/** One pass in a few words: `-12k (2 episodes)`. */
function describePass(pass: Pass): string {
	const episodes = new Set(pass.strips.map((strip) => strip.episode)).size;
	return `-${formatTokens(pass.before - pass.after)} (${episodes} ${episodes === 1 ? "episode" : "episodes"})`;
}
