/** System prompt and tool definitions: their text, and their tokens, counted again only when they change. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { FixedTokens } from "#core/ledger";
import { type CountTokens, TOOL_FRAMING, toolText } from "#pi";

export interface FixedParts {
	/** Both as one text. */
	text(ctx: ExtensionContext): string;
	tokens(ctx: ExtensionContext, count: CountTokens): FixedTokens;
}

export function createFixedParts(pi: ExtensionAPI): FixedParts {
	let system = { text: "", tokens: 0 };
	let tools = { text: "", tokens: 0 };

	function definitions() {
		const active = new Set(pi.getActiveTools());
		return pi.getAllTools().filter((tool) => active.has(tool.name));
	}

	return {
		text: (ctx) => `${ctx.getSystemPrompt()}\n${toolText(definitions())}`,
		tokens(ctx, count) {
			const systemText = ctx.getSystemPrompt();
			if (systemText !== system.text) system = { text: systemText, tokens: count(systemText) };
			const defined = definitions();
			const text = toolText(defined);
			if (text !== tools.text) tools = { text, tokens: count(text) + defined.length * TOOL_FRAMING };
			return { system: system.tokens, tools: tools.tokens };
		},
	};
}
