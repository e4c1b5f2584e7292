/** The footer: how full the context is, and how long it will last, in the colors of a terminal. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { measurePressure, type Pressure } from "#core/health";
import { inputTokens, isAnswer } from "#pi/codec";
import { footerLine, formatTokens, paintLine, type Tone } from "#pi/screen";
import { resolveZones } from "#pi/settings";
import { emit } from "./events.ts";
import { budgetOf } from "./state/budget.ts";
import type { RequestSize } from "./state/requests.ts";
import type { Runtime } from "./state/runtime.ts";

/** The widest footer that is made: for terminals, and for hosts that have none. */
const WIDEST = 300;

/** The cached share of a request is known with its answer. */
export function registerStatus(pi: ExtensionAPI, runtime: Runtime) {
	pi.on("message_end", ({ message }, ctx) => {
		if (!isAnswer(message)) return;
		const input = inputTokens(message);
		runtime.request.cachedShare = input > 0 ? message.usage.cacheRead / input : undefined;
		showStatus(runtime, ctx);
		if (!runtime.request.size || !runtime.settings.isEnabled) return;
		const { used, budget } = readPressure(runtime, ctx, runtime.request.size);
		const { provider, model, usage } = message;
		const cached = Math.min(usage.cacheRead, input);
		emit(pi, "cwl:request", { provider, model, used, budget, input, cached, output: usage.output });
	});
}

export function showStatus(runtime: Runtime, ctx: ExtensionContext) {
	ctx.ui.setStatus("cwl", statusLine(runtime, ctx));
}

/** Something may have changed the next request: the footer shows its size at once, as every other screen does. */
export async function showNextSize(runtime: Runtime, ctx: ExtensionContext) {
	await runtime.session.remeasure(ctx);
	showStatus(runtime, ctx);
}

function statusLine(runtime: Runtime, ctx: ExtensionContext): string {
	const { settings, session } = runtime;
	const { size, cachedShare, zone } = runtime.request;
	if (!settings.isEnabled) return "cwl off";
	const budget = budgetOf(runtime, ctx);
	if (!size) return `cwl -/${formatTokens(budget)}`;
	const pressure = readPressure(runtime, ctx, size);
	const lastPass = session.lastPass();
	const taken = lastPass && {
		freed: runtime.scale.part(ctx, lastPass.before - lastPass.after),
		episodes: new Set(lastPass.strips.map(({ episode }) => episode)).size,
	};
	const width = Math.min(process.stdout.columns ?? WIDEST, WIDEST);
	const { freedNext } = size;
	const footer = {
		...{ pressure, cachedShare, lastPass: taken, droppedThinking: runtime.health.droppedThinking.requests },
		...{ freedNext: freedNext && runtime.scale.part(ctx, freedNext), from: zone?.from },
	};
	return paintLine(footerLine(footer, width), paint);
}

/** The pressure of a request, in the provider's tokens. */
export function readPressure(
	runtime: Runtime,
	ctx: ExtensionContext,
	{ tokens, mark, burn }: Omit<RequestSize, "fixed">,
): Pressure {
	const { zones } = runtime.settings.loaded.settings;
	return measurePressure({
		used: runtime.scale.reported(ctx, tokens),
		budget: budgetOf(runtime, ctx),
		mark: runtime.scale.reportedBudget(ctx, mark),
		ends: resolveZones(zones, ctx.model?.contextWindow),
		burn: { ...burn, recent: runtime.scale.part(ctx, burn.recent) },
		source: runtime.scale.calibration(ctx).samples > 0 ? "reported" : "estimated",
	});
}

/** Select graphic rendition (ECMA-48), and the 256 colours of xterm for orange and violet, which the eight have not: on and off. */
const codes: Readonly<Record<Tone, readonly [on: string, off: string] | undefined>> = {
	plain: undefined,
	dim: ["2", "22"],
	strong: ["1", "22"],
	green: ["32", "39"],
	yellow: ["33", "39"],
	orange: ["38;5;208", "39"],
	red: ["31", "39"],
	blue: ["34", "39"],
	cyan: ["36", "39"],
	magenta: ["35", "39"],
	violet: ["38;5;141", "39"],
};

/** Only a terminal has colours; whoever drives pi over a pipe gets the words. */
export function paint(tone: Tone, text: string): string {
	const code = codes[tone];
	if (!code || !process.stdout.isTTY || process.env.NO_COLOR) return text;
	return `\u001b[${code[0]}m${text}\u001b[${code[1]}m`;
}
