/** The system prompt and the tool definitions of every request. */

import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import * as host from "@mariozechner/pi-coding-agent";
import { type CountTokens, fieldsOf, sum } from "#basics";
import type { FixedTokens } from "#core/ledger";
import { countOnce, isSystemMessage, systemParts, TOOL_FRAMING } from "#pi/codec";
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

	function toolTokens(defined: Parameters<typeof toolText>[0], count: CountTokens): number {
		return defined.length === 0 ? 0 : count(toolText(defined)) + defined.length * TOOL_FRAMING;
	}

	function measure(ctx: ExtensionContext, counter: CountTokens): FixedTokens {
		remembered ??= countOnce(counter);
		return { system: remembered(ctx.getSystemPrompt()), tools: toolTokens(definitions(), remembered) };
	}

	/**
	 * Both for a model that takes changes of them inside the conversation: the first prompt and tools, and each change since, which pi
	 * keeps as system messages of the session. Undefined for other models, which get both in front as they are now.
	 */
	function kept(ctx: ExtensionContext, counter: CountTokens) {
		const { supportsMidConvoSystemMessages, supportsMidConvoToolChanges } = fieldsOf(ctx.model?.compat);
		if (supportsMidConvoSystemMessages !== true) return undefined;
		const { sessionManager } = ctx;
		const { messages } = host.buildSessionContext(sessionManager.getBranch(), sessionManager.getLeafId());
		const changes = messages.filter(isSystemMessage).map(systemParts);
		if (changes.length === 0) return undefined;
		remembered ??= countOnce(counter);
		const count = remembered;
		const active = new Map<unknown, (typeof changes)[number]["tools"][number]>();
		for (const { tools, removed } of changes) {
			for (const name of removed) active.delete(name);
			for (const tool of tools) active.set(tool.name, tool);
		}
		const activeTools = toolTokens([...active.values()], count);
		const defined = sum(changes, ({ tools }) => toolTokens(tools, count));
		return {
			system: sum(changes, ({ text }) => count(text)),
			tools: supportsMidConvoToolChanges === true ? defined : activeTools,
			activeTools,
		};
	}

	/** Both as they are in front, as the last managed request had them, in this process or before it, or while CWL is off as pi has them. */
	function inFront(ctx: ExtensionContext, counter: CountTokens): FixedTokens {
		const known = settings.isEnabled ? (sent ?? entries.decided().fixed) : undefined;
		return known ?? measure(ctx, counter);
	}

	return {
		/** Both as one text. */
		text: (ctx: ExtensionContext) => `${ctx.getSystemPrompt()}\n${toolText(definitions())}`,
		/** The sizes for a request that goes out now. */
		send(ctx: ExtensionContext, counter: CountTokens): FixedTokens {
			const size = measure(ctx, counter);
			if (settings.isEnabled) sent = size;
			const { system, tools } = kept(ctx, counter) ?? size;
			return { system, tools };
		},
		wasSent: () => sent !== undefined,
		/** Another branch was opened. */
		restore() {
			sent = undefined;
		},
		/** Both as they will be sent, with the change that a switch since the last request brings. */
		tokens(ctx: ExtensionContext, counter: CountTokens): FixedTokens {
			const next = inFront(ctx, counter);
			const { system, tools, activeTools } = kept(ctx, counter) ?? { ...next, activeTools: undefined };
			const { isOn = settings.isEnabled } = entries.decided().prefix ?? {};
			if (activeTools === undefined || isOn === settings.isEnabled) return { system, tools };
			return { system: system + next.system, tools: tools + Math.max(0, next.tools - activeTools) };
		},
	};
}
