/** A model whose marks fall behind is told so in a line of a tool result, which costs no request of its own. */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { DELIMITER } from "../../packages/core/delimiter.ts";
import { type Nudge, nudgeFor } from "../../packages/core/nudge.ts";
import { defaultToolTable } from "../../packages/core/tool-table.ts";
import type { Runtime } from "./runtime.ts";

export function registerNudges(pi: ExtensionAPI, runtime: Runtime) {
	let last: Nudge | undefined;
	pi.on("session_start", () => {
		last = undefined;
	});
	pi.on("tool_result", async (event, ctx) => {
		if (!runtime.loaded.settings.enabled || event.toolName === DELIMITER) return undefined;
		const { graph } = (await runtime.session()).state();
		const { budget } = await runtime.requestSettings(ctx);
		const nudge = nudgeFor(graph, defaultToolTable, budget, last);
		if (!nudge) return undefined;
		last = nudge;
		const text = `<context-note>\n${nudge.text}\n</context-note>`;
		return { content: [...event.content, { type: "text", text }] };
	});
}
