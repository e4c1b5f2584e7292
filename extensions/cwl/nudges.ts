/** Sends the model a line in a tool result when its marks fall behind, which costs no request. `#core/health` decides when, and has the text. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { DELIMITER } from "#core/annotation";
import type { Graph } from "#core/graph";
import { type Nudge, nudgeFor } from "#core/health";
import { defaultToolTable } from "#pi";
import { attachedTexts, type HostMessage, messagesOf, missingResults, toolCallsOf } from "#pi/codec";
import { type FrameMark, unframe } from "#pi/prompt";
import { onBranchOpened } from "./host.ts";
import type { Runtime } from "./state/runtime.ts";
import { readBranch } from "./state/session-state.ts";

export function registerNudges(pi: ExtensionAPI, runtime: Runtime) {
	/** The last one of the session; undefined until it was looked for in its file. */
	let last: { readonly nudge: Nudge | undefined } | undefined;
	onBranchOpened(pi, () => {
		last = undefined;
	});
	runtime.injected.withResults("context-note", async (ctx, event) => {
		if (!runtime.settings.isEnabled || event.toolName === DELIMITER) return undefined;
		if (!pi.getActiveTools().includes(DELIMITER)) return undefined;
		const { graph } = (await runtime.session.managed()).state();
		const { budget, counted } = runtime.gauge.read(ctx);
		const planned = counted(budget);
		last ??= { nudge: lastNudge(messagesOf(ctx.sessionManager.getBranch()), runtime.injected.mark(ctx)) };
		const due = nudgeFor(graph, defaultToolTable, planned, last.nudge);
		if (!due) return undefined;
		// The calls of this message may have done what the nudge asks for, or made another one due.
		const now = nudgeFor(await graphAfterCalls(runtime, ctx), defaultToolTable, planned, last.nudge);
		if (!now) return undefined;
		const nudge = { ...due, text: now.text };
		last = { nudge };
		return nudge.text;
	});
}

/** The graph of the session as if all calls of its last message had been answered. */
async function graphAfterCalls(runtime: Runtime, ctx: ExtensionContext): Promise<Graph> {
	const { context } = readBranch(ctx);
	return (await runtime.session.managed()).inspect([...context, ...missingResults(context)]).graph;
}

/** The last nudge that a session holds, so that a resumed session does not get the same one again. */
function lastNudge(messages: readonly HostMessage[], mark: FrameMark): Nudge | undefined {
	let exchanges = 0;
	let last: Nudge | undefined;
	for (const message of messages) {
		if (toolCallsOf(message).length > 0) exchanges += 1;
		for (const own of attachedTexts(message)) {
			const text = unframe(mark, "context-note", own);
			// It was decided by the context before the exchange that it is attached to.
			if (text !== undefined) last = { text, exchange: exchanges - 1 };
		}
	}
	return last;
}
