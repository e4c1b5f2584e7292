/** The footer: how full the context is, and how long it will last. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { measurePressure, type Zone } from "../../packages/core/health/pressure.ts";
import { budgetTokens, formatTokens } from "../../packages/host/budget.ts";
import { footerLine } from "../../packages/host/screen/footer-line.ts";
import { inputTokens } from "../../packages/host/traffic-meter.ts";
import type { Runtime } from "./runtime.ts";

/** The widest footer that is made: for terminals, and for hosts that have none. */
const WIDEST = 300;

/** Foreground colours (ECMA-48, and the 256 colours of xterm for orange, which the eight have not). */
const colours: Readonly<Record<Zone, string>> = { green: "32", yellow: "33", orange: "38;5;208", red: "31" };

/** The cached share of a request is known with its answer. */
export function registerStatus(pi: ExtensionAPI, runtime: Runtime) {
	pi.on("message_end", ({ message }, ctx) => {
		if (message.role !== "assistant") return;
		const input = inputTokens(message);
		runtime.cachedShare = input > 0 ? message.usage.cacheRead / input : undefined;
		showStatus(runtime, ctx);
	});
}

export function showStatus(runtime: Runtime, ctx: ExtensionContext) {
	ctx.ui.setStatus("cwl", statusLine(runtime, ctx));
}

function statusLine(runtime: Runtime, ctx: ExtensionContext): string {
	const { loaded, last, lastPass, cachedShare } = runtime;
	if (!loaded.settings.enabled) return "cwl off";
	const budget = budgetTokens(loaded.settings.budget, ctx.model?.contextWindow);
	if (!last) return `cwl -/${formatTokens(budget)}`;
	const part = (counted: number) => runtime.part(ctx, counted);
	const pressure = measurePressure({
		used: runtime.reported(ctx, last.tokens),
		budget,
		burn: { ...last.burn, recent: part(last.burn.recent) },
		source: runtime.isReported(ctx) ? "reported" : "estimated",
	});
	const taken = lastPass && {
		freed: part(lastPass.before - lastPass.after),
		episodes: new Set(lastPass.strips.map(({ episode }) => episode)).size,
	};
	const width = Math.min(process.stdout.columns ?? WIDEST, WIDEST);
	return footerLine({ pressure, cachedShare, lastPass: taken }, width, paint);
}

/** Only a terminal has colours; whoever drives pi over a pipe gets the words. */
function paint(zone: Zone, text: string): string {
	return process.stdout.isTTY && !process.env.NO_COLOR ? `\u001b[${colours[zone]}m${text}\u001b[39m` : text;
}
