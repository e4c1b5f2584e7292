/** The system prompt and the tool definitions of every request. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { FixedTokens } from "#core/ledger";
import { type CountTokens, countOnce, TOOL_FRAMING } from "#pi/codec";
import { toolText } from "#pi/prompt";

export type FixedParts = ReturnType<typeof createFixedParts>;

export function createFixedParts(pi: ExtensionAPI) {
	let remembered: CountTokens | undefined;

	function definitions() {
		const active = new Set(pi.getActiveTools());
		return pi.getAllTools().filter((tool) => active.has(tool.name));
	}

	return {
		/** Both as one text. */
		text: (ctx: ExtensionContext) => `${ctx.getSystemPrompt()}\n${toolText(definitions())}`,
		tokens(ctx: ExtensionContext, counter: CountTokens): FixedTokens {
			remembered ??= countOnce(counter);
			const defined = definitions();
			const tools = remembered(toolText(defined)) + defined.length * TOOL_FRAMING;
			return { system: remembered(ctx.getSystemPrompt()), tools };
		},
	};
}
