/** The system prompt and the tool definitions of every request. */

import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import * as host from "@mariozechner/pi-coding-agent";
import { type CountTokens, fieldsOf, sum } from "#basics";
import type { FixedTokens } from "#core/ledger";
import { countOnce, type HostMessage, isSystemMessage, TOOL_FRAMING } from "#pi/codec";
import { assembleGuidance, assemblePrompt, toolText } from "#pi/prompt";
import { bindsThinking } from "#pi/requests";
import type { EntryLog } from "./entry-log.ts";
import type { SettingsState } from "./settings-state.ts";

export type FixedParts = ReturnType<typeof createFixedParts>;

export function createFixedParts(
	pi: ExtensionAPI,
	entries: EntryLog,
	settings: Pick<SettingsState, "isEnabled" | "loaded">,
) {
	let remembered: CountTokens | undefined;
	/** The parts that the last managed request of the branch in this process had. Between two runs, pi answers its own system prompt. */
	let sent: FixedTokens | undefined;
	/** Those of the last request, managed or not, without later changes of them. */
	let inFront: FixedTokens | undefined;

	function definitions() {
		const active = new Set(pi.getActiveTools());
		return pi.getAllTools().filter((tool) => active.has(tool.name));
	}

	function measure(ctx: ExtensionContext, counter: CountTokens, prompt = ctx.getSystemPrompt()): FixedTokens {
		remembered ??= countOnce(counter);
		const defined = definitions();
		const tools = remembered(toolText(defined)) + defined.length * TOOL_FRAMING;
		return { system: remembered(prompt), tools };
	}

	/** The prompt of the first managed request, without skills and what the user appends: pi tells of these only as a run starts. */
	function expectPrompt(ctx: ExtensionContext): string {
		if (settings.loaded.settings.prompt === "pi") return `${ctx.getSystemPrompt()}\n\n${assembleGuidance()}`;
		const { cwd } = ctx;
		return assemblePrompt({
			cwd,
			contextFiles: host.loadProjectContextFiles({ cwd, agentDir: host.getAgentDir() }),
		});
	}

	function withChanges(ctx: ExtensionContext, count: CountTokens, size: FixedTokens): FixedTokens {
		if (!takesChanges(ctx.model)) return size;
		const { sessionManager } = ctx;
		const { messages } = host.buildSessionContext(sessionManager.getBranch(), sessionManager.getLeafId());
		return { ...size, system: size.system + sum(messages.slice(1), changeSize(count)) };
	}

	return {
		/** Both as one text. */
		text: (ctx: ExtensionContext) => `${ctx.getSystemPrompt()}\n${toolText(definitions())}`,
		/** The sizes for a request that goes out now. */
		send(ctx: ExtensionContext, counter: CountTokens): FixedTokens {
			inFront = measure(ctx, counter);
			if (settings.isEnabled) sent = inFront;
			return withChanges(ctx, counter, inFront);
		},
		inFront: () => inFront,
		wasSent: () => sent !== undefined,
		/** Another branch was opened. */
		restore() {
			sent = undefined;
			inFront = undefined;
		},
		/**
		 * Both as they will be sent: as the last managed request had them, in this process or before it, or about as the first will; while
		 * CWL is off as pi has them. With the change that a switch since the last request brings.
		 */
		tokens(ctx: ExtensionContext, counter: CountTokens): FixedTokens {
			const next = settings.isEnabled
				? (sent ?? entries.decided().fixed.on ?? measure(ctx, counter, expectPrompt(ctx)))
				: measure(ctx, counter);
			const size = withChanges(ctx, counter, next);
			const isSwitched = entries.decided().prefix?.isOn === !settings.isEnabled;
			if (!isSwitched || !takesChanges(ctx.model)) return size;
			const added = Math.max(0, next.tools - (inFront ?? next).tools);
			return { ...size, system: size.system + next.system + added };
		},
	};
}

/** Answers the tokens of a change of both, which pi keeps as a system message, inside the conversation; 0 for any other message. */
export function changeSize(count: CountTokens): (message: HostMessage) => number {
	// The JSON is about as long as the blocks that pi makes of it.
	return (message) => (isSystemMessage(message) ? count(JSON.stringify(message)) : 0);
}

/** Returns true if pi sends changes of the system prompt and the tools inside the conversation; for other models, in front of it. */
export function takesChanges(model: ExtensionContext["model"]): boolean {
	return fieldsOf(model?.compat).supportsMidConvoSystemMessages === true;
}

/** Returns true if pi has changes of the system prompt or the tools in front of the conversation, where a model's thinking is bound to them. */
export function foldsChanges(model: ExtensionContext["model"]): boolean {
	const { supportsMidConvoToolChanges, supportsAdditionalTools } = fieldsOf(model?.compat);
	const takesTools = supportsMidConvoToolChanges === true || supportsAdditionalTools === true;
	return model !== undefined && bindsThinking(model) && !(takesChanges(model) && takesTools);
}
