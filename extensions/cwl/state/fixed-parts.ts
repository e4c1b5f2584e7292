/** The system prompt and the tool definitions of every request. */

import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { CountTokens } from "#basics";
import type { FixedTokens } from "#core/ledger";
import { countOnce, TOOL_FRAMING } from "#pi/codec";
import { toolText } from "#pi/prompt";
import type { EntryLog } from "./entry-log.ts";
import type { SettingsState } from "./settings-state.ts";

export type FixedParts = ReturnType<typeof createFixedParts>;

export function createFixedParts(
	pi: ExtensionAPI,
	entries: EntryLog,
	settings: Pick<SettingsState, "isEnabled">,
) {
	let remembered: CountTokens | undefined;
	/** The parts that the last managed request of the branch in this process had. Between two runs, pi answers its own system prompt. */
	let sent: FixedTokens | undefined;

	function definitions() {
		const active = new Set(pi.getActiveTools());
		return pi.getAllTools().filter((tool) => active.has(tool.name));
	}

	function measure(ctx: ExtensionContext, counter: CountTokens): FixedTokens {
		remembered ??= countOnce(counter);
		const defined = definitions();
		const tools = remembered(toolText(defined)) + defined.length * TOOL_FRAMING;
		return { system: remembered(ctx.getSystemPrompt()), tools };
	}

	return {
		/** Both as one text. */
		text: (ctx: ExtensionContext) => `${ctx.getSystemPrompt()}\n${toolText(definitions())}`,
		/** The sizes for a request that goes out now. */
		send(ctx: ExtensionContext, counter: CountTokens): FixedTokens {
			const size = measure(ctx, counter);
			if (settings.isEnabled) sent = size;
			return size;
		},
		wasSent: () => sent !== undefined,
		/** Another branch was opened. */
		restore() {
			sent = undefined;
		},
		/** Both as they will be sent: as the last managed request had them, in this process or before it, or while CWL is off as pi has them. */
		tokens(ctx: ExtensionContext, counter: CountTokens): FixedTokens {
			const known = settings.isEnabled ? (sent ?? entries.decided().fixed) : undefined;
			return known ?? measure(ctx, counter);
		},
	};
}
