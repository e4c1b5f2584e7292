/** The footer: how full the context is, and how long it will last. */
import type { AssistantMessage } from "@mariozechner/pi-ai";
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { measurePressure, type Pressure } from "#core/health";
import { footerLine, formatTokens, inputTokens, isAnswer, resolveZones } from "#pi";
import { type Events, emit } from "./events.ts";
import { paint } from "./paint.ts";
import { budgetOf } from "./state/budget.ts";
import type { Runtime } from "./state/runtime.ts";
import type { RequestSize } from "./state/session-state.ts";

/** The widest footer that is made: for terminals, and for hosts that have none. */
const WIDEST = 300;

/** The cached share of a request is known with its answer. */
export function registerStatus(pi: ExtensionAPI, runtime: Runtime) {
	pi.on("message_end", ({ message }, ctx) => {
		if (!isAnswer(message)) return;
		const input = inputTokens(message);
		runtime.session.cachedShare = input > 0 ? message.usage.cacheRead / input : undefined;
		showStatus(runtime, ctx);
		if (runtime.session.size && runtime.settings.isEnabled) {
			emit(pi, "cwl:request", describeRequest(runtime, ctx, runtime.session.size, message, input));
		}
	});
}

function describeRequest(
	runtime: Runtime,
	ctx: ExtensionContext,
	size: RequestSize,
	{ provider, model, usage }: AssistantMessage,
	input: number,
): Events["cwl:request"] {
	const { used, budget } = readPressure(runtime, ctx, size);
	const cached = Math.min(usage.cacheRead, input);
	return { provider, model, used, budget, input, cached, output: usage.output };
}

export function showStatus(runtime: Runtime, ctx: ExtensionContext) {
	ctx.ui.setStatus("cwl", statusLine(runtime, ctx));
}

function statusLine(runtime: Runtime, ctx: ExtensionContext): string {
	const { settings, session } = runtime;
	const { size, cachedShare, droppedThinking } = session;
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
	const { from } = session.zone;
	const footer = {
		...{ pressure, cachedShare, lastPass: taken, droppedThinking: droppedThinking.requests },
		...(from !== undefined && { from }),
	};
	return footerLine(footer, width, paint);
}

/** The pressure of a request, in the provider's tokens. */
export function readPressure(
	runtime: Runtime,
	ctx: ExtensionContext,
	{ tokens, burn }: Pick<RequestSize, "tokens" | "burn">,
): Pressure {
	const { zones } = runtime.settings.loaded.settings;
	return measurePressure({
		used: runtime.scale.reported(ctx, tokens),
		budget: budgetOf(runtime, ctx),
		ends: resolveZones(zones, ctx.model?.contextWindow),
		burn: { ...burn, recent: runtime.scale.part(ctx, burn.recent) },
		source: runtime.scale.isReported(ctx) ? "reported" : "estimated",
	});
}
