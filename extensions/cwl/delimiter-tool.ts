/** The delimiter tool as pi runs it. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { admitDelimiter, advanceProtocol, type DelimiterCommand, describeCommand } from "#core/annotation";
import { markedLines, noteLines, toolWords } from "#pi";
import { delimiterLook } from "./delimiter-look.ts";
import type { Runtime } from "./state/runtime.ts";

export function registerDelimiter(pi: ExtensionAPI, runtime: Runtime) {
	pi.registerTool({
		...toolWords.delimiter,
		label: "delimiter",
		...delimiterLook(runtime),
		// Judges and advances before its first await, so that siblings in one message take effect in their order.
		async execute(_id, params, _signal, _onUpdate, ctx) {
			const decision = admitDelimiter(runtime.session.protocol, params);
			// A thrown error is the one way to refuse a call that every host version knows.
			if (decision.type === "rejected") throw new Error(decision.message);
			const said = describeCommand(runtime.session.protocol, decision.command);
			runtime.session.protocol = advanceProtocol(runtime.session.protocol, decision.command);
			noteState(runtime, ctx, decision.command);
			return { content: [{ type: "text", text: said }], details: decision.command };
		},
	});
}

/** A description that ends an expl may name the active task and constraints. */
function noteState({ settings }: Runtime, ctx: ExtensionContext, command: DelimiterCommand) {
	const description = command.type === "end" ? command.description : undefined;
	const state = description && noteLines(settings.state(), markedLines(description));
	if (state) settings.steer(ctx, { task: state.task, notedConstraints: state.notedConstraints });
}
