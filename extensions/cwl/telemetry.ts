/**
 * OpenTelemetry for those who set an endpoint: what pi and our own events tell becomes metrics and spans. Nothing waits
 * for it, and without an endpoint nothing of it is loaded.
 */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { isAnswer, type Observation, observeAnswer, pointsOf, runSpan, spanOf } from "#pi";
import { listen } from "./events.ts";
import type { Runtime } from "./state/runtime.ts";
import { openTelemetry, type TelemetryLine } from "./telemetry-line.ts";

/** A session that is watched. */
interface Watch {
	readonly line: TelemetryLine;
	readonly conversation: string;
	/** Calls of tools that have not ended, by id: when they began. */
	readonly calls: Map<string, number>;
	/** When the last request went out. */
	asked: number;
	readonly listeners: readonly (() => void)[];
}

export function registerTelemetry(pi: ExtensionAPI, runtime: Runtime) {
	let watch: Watch | undefined;

	function observe(observation: Observation) {
		if (!watch) return;
		const span = spanOf(observation, watch.conversation);
		watch.line.send((otlp) => {
			otlp.record(pointsOf(observation));
			if (span) otlp.span(span);
		});
	}

	function begin(ctx: ExtensionContext): Watch {
		return {
			line: openTelemetry(ctx, runtime.settings.loaded),
			conversation: ctx.sessionManager.getSessionId(),
			...{ calls: new Map(), asked: Date.now() },
			listeners: listenTo(pi, observe),
		};
	}

	async function end() {
		const ended = watch;
		watch = undefined;
		for (const stop of ended?.listeners ?? []) stop();
		await ended?.line.close();
	}

	pi.on("session_start", async (_event, ctx) => {
		await end();
		if (isWanted(runtime)) watch = begin(ctx);
	});
	pi.on("session_shutdown", end);
	pi.on("agent_start", () => {
		const span = runSpan(watch?.conversation ?? "", Date.now());
		watch?.line.send((otlp) => otlp.beginRun(span));
	});
	pi.on("agent_end", () => {
		const time = Date.now();
		watch?.calls.clear();
		watch?.line.send((otlp) => otlp.endRun(time));
	});
	pi.on("context", () => {
		if (watch) watch.asked = Date.now();
	});
	pi.on("message_end", ({ message }) => {
		if (watch && isAnswer(message)) observe(observeAnswer(message, watch.asked, Date.now()));
	});
	pi.on("tool_execution_start", ({ toolCallId }) => {
		watch?.calls.set(toolCallId, Date.now());
	});
	pi.on("tool_execution_end", ({ toolCallId, toolName, isError }) => {
		const start = watch?.calls.get(toolCallId);
		// A model may call anything: only the name of a tool that exists is no text of its making.
		if (start === undefined || !pi.getAllTools().some(({ name }) => name === toolName)) return;
		observe({ type: "tool", name: toolName, start, end: Date.now(), isError });
	});
}

function isWanted({ settings: { loaded } }: Runtime): boolean {
	return loaded.settings.otlpEndpoint !== "" && process.env.OTEL_SDK_DISABLED?.toLowerCase() !== "true";
}

/** Our own events, stripped of every text. */
function listenTo(pi: ExtensionAPI, observe: (observation: Observation) => void): readonly (() => void)[] {
	return [
		listen(pi, "cwl:request", ({ used, budget, input, cached }) =>
			observe({ type: "context", used, budget, ...(input > 0 && { cachedShare: cached / input }) }),
		),
		listen(pi, "cwl:account", (account) => observe({ ...account, type: "account" })),
		listen(pi, "cwl:health", ({ regretted }) => observe({ type: "health", regretted })),
		listen(pi, "cwl:turn", ({ zone: _, normalBurnRate: __, ...turn }) => observe({ ...turn, type: "turn" })),
		listen(pi, "cwl:zone", ({ from, to }) => observe({ type: "zone", from, to })),
		listen(pi, "cwl:spike", () => observe({ type: "spike" })),
		listen(pi, "cwl:pass", ({ policy, budget, before, after, episodes, blockers }) =>
			observe({
				...{ type: "pass", policy, time: Date.now(), budget, before, after },
				episodes: episodes.length,
				blockers: blockers.length,
			}),
		),
		listen(pi, "cwl:alert", ({ id, grade }) =>
			observe({ type: "alert", grade, kind: id.split(" ")[0] ?? "" }),
		),
		listen(pi, "cwl:recall", ({ by, pages }) => observe({ type: "recall", by, isFound: pages > 0 })),
	];
}
