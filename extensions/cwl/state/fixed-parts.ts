/** The system prompt and the tool definitions of every request. */

import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { CountTokens } from "#basics";
import type { FixedTokens } from "#core/ledger";
import { countOnce, TOOL_FRAMING } from "#pi/codec";
import { toolText } from "#pi/prompt";
import type { EntryLog } from "./entry-log.ts";

export type FixedParts = ReturnType<typeof createFixedParts>;

export function createFixedParts(pi: ExtensionAPI, entries: EntryLog) {
	let remembered: CountTokens | undefined;
	/** False until this process sends a request of the branch: pi has its own system prompt until then. */
	let isSent = false;

	function definitions() {
		const active = new Set(pi.getActiveTools());
		return pi.getAllTools().filter((tool) => active.has(tool.name));
	}

	return {
		/** Both as one text. */
		text: (ctx: ExtensionContext) => `${ctx.getSystemPrompt()}\n${toolText(definitions())}`,
		/** A request goes out with the system prompt that pi has now. */
		sent() {
			isSent = true;
		},
		wasSent: () => isSent,
		/** Another branch was opened. */
		restore() {
			isSent = false;
		},
		/** Both as they will be sent: before the first request of a resumed session, as its last request had them. */
		tokens(ctx: ExtensionContext, counter: CountTokens): FixedTokens {
			const { fixed } = entries.decided();
			if (fixed && !isSent) return fixed;
			remembered ??= countOnce(counter);
			const defined = definitions();
			const tools = remembered(toolText(defined)) + defined.length * TOOL_FRAMING;
			return { system: remembered(ctx.getSystemPrompt()), tools };
		},
	};
}
