/** The delimiter tool as pi runs it. */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { admitDelimiter, advanceProtocol, describeCommand } from "#core";
import { toolWords } from "#pi";
import { delimiterLook } from "./delimiter-look.ts";
import type { Runtime } from "./state/runtime.ts";

export function registerDelimiter(pi: ExtensionAPI, runtime: Runtime) {
	pi.registerTool({
		...toolWords.delimiter,
		label: "delimiter",
		...delimiterLook(runtime),
		// Judges and advances before its first await, so that siblings in one message take effect in their order.
		async execute(_id, params) {
			const decision = admitDelimiter(runtime.session.protocol, params);
			// A thrown error is the one way to refuse a call that every host version knows.
			if (decision.type === "rejected") throw new Error(decision.message);
			const said = describeCommand(runtime.session.protocol, decision.command);
			runtime.session.protocol = advanceProtocol(runtime.session.protocol, decision.command);
			return { content: [{ type: "text", text: said }], details: decision.command };
		},
	});
}
