/**
 * Anthropic's context editing, `clear_tool_uses_20250919` (context-editing guide): beyond the trigger the outputs of all
 * tool uses but the most recent ones give way to a placeholder, oldest first; the calls stay. The API is taken to
 * remember what it cleared: it clears again when what is left passes the trigger. `clear_tool_inputs` is not replayed.
 * It bounds outputs and not the context, so it does not keep to the budget.
 */
import type { HostMessage } from "#pi";
import { sum } from "../recording/recording.ts";
import { defineKind } from "./knobs.ts";
import type { PolicySettings, ReplayPolicy } from "./replay-policy.ts";
import { omitOutput } from "./shortened-output.ts";

interface Knobs {
	readonly keep: number;
	readonly trigger: number;
	readonly atLeast: number;
	readonly exclude: readonly string[];
}

/**
 * The API's own knobs and defaults: `keep` recent tool uses, `clear-at-least` so many tokens or nothing, `exclude` tools.
 * `trigger` is in tokens; 0 stands for the budget (the API's default is 100k).
 */
export const clearToolUses = defineKind(
	"clear-tool-uses",
	{ keep: 3, trigger: 0, "clear-at-least": 0, exclude: [] },
	(name, { keep, trigger, "clear-at-least": atLeast, exclude }): ReplayPolicy => ({
		name,
		exempt: trigger > 0 ? ["identity"] : [],
		open: (settings) => openSession(settings, { keep, trigger, atLeast, exclude }),
	}),
);

type Result = HostMessage & { readonly role: "toolResult" };

function openSession({ budget, fixed, sizes }: PolicySettings, knobs: Knobs) {
	const cleared = new Map<HostMessage, HostMessage>();
	const trigger = knobs.trigger || budget;
	const tokensOf = (message: HostMessage) => sum(sizes(message));
	const project = (history: readonly HostMessage[]) => {
		const messages = history.map((message) => cleared.get(message) ?? message);
		return { messages, tokens: fixed.system + fixed.tools + sum(messages.map(tokensOf)) };
	};
	return (history: readonly HostMessage[]) => {
		const before = project(history);
		const unchanged = { messages: before.messages, pass: undefined };
		if (before.tokens <= trigger) return unchanged;
		const pairs = findClearable(history, knobs)
			.filter((result) => !cleared.has(result))
			.map((result): [Result, Result] => [result, omitOutput(result)])
			.filter(([result, placeholder]) => tokensOf(placeholder) < tokensOf(result));
		const freed = sum(pairs.map(([result, placeholder]) => tokensOf(result) - tokensOf(placeholder)));
		if (pairs.length === 0 || freed < knobs.atLeast) return unchanged;
		for (const [result, placeholder] of pairs) cleared.set(result, placeholder);
		const { messages, tokens } = project(history);
		return { messages, pass: { before: before.tokens, after: tokens } };
	};
}

/** All tool uses count towards those that are kept, excluded ones too. */
function findClearable(history: readonly HostMessage[], { keep, exclude }: Knobs): readonly Result[] {
	const results = history.filter((message) => message.role === "toolResult");
	const old = results.slice(0, Math.max(0, results.length - keep));
	return old.filter(({ toolName }) => !exclude.includes(toolName));
}
