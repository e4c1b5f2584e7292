/** Tokens of system prompt and tool definitions, counted again only when they change. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { FixedTokens } from "#core";
import { type CountTokens, TOOL_FRAMING, toolText } from "#pi";

export function createFixedCost(
	pi: ExtensionAPI,
): (ctx: ExtensionContext, count: CountTokens) => FixedTokens {
	let system = { text: "", tokens: 0 };
	let tools = { text: "", tokens: 0 };
	return (ctx, count) => {
		const systemText = ctx.getSystemPrompt();
		if (systemText !== system.text) system = { text: systemText, tokens: count(systemText) };
		const active = new Set(pi.getActiveTools());
		const definitions = pi.getAllTools().filter((tool) => active.has(tool.name));
		const text = toolText(definitions);
		if (text !== tools.text) tools = { text, tokens: count(text) + definitions.length * TOOL_FRAMING };
		return { system: system.tokens, tools: tools.tokens };
	};
}
