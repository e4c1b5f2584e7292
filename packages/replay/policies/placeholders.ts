/**
 * Policies that leave a placeholder where an output was and every call in its place: observation masking, stride
 * pruning, and Anthropic's context editing. They bound outputs and not the context, so none keeps to the budget.
 */
import { placeholderText } from "#core/projection";
import type { HostMessage } from "#pi/codec/host-message.ts";
import { sum } from "../recording/recording.ts";
import { defineKind } from "./knobs.ts";
import type { PolicySettings, ReplayPolicy } from "./replay-policy.ts";

type Result = HostMessage & { readonly role: "toolResult" };

const content: Result["content"] = [{ type: "text", text: placeholderText({ type: "omitted" }) }];

/** Returns true for a result that holds nothing but the placeholder. */
export function isOmitted(message: HostMessage): boolean {
	return message.role === "toolResult" && message.content === content;
}

/** Omits outputs for good. The same object comes back for the same result, so that it is counted once. */
function createOmission() {
	const omitted = new Map<HostMessage, HostMessage>();
	return {
		omit: (result: Result) => void omitted.set(result, { ...result, content }),
		has: (result: Result) => omitted.has(result),
		project: (history: readonly HostMessage[]) => history.map((message) => omitted.get(message) ?? message),
	};
}

const isResult = (message: HostMessage): message is Result => message.role === "toolResult";

/**
 * A policy that omits old outputs at every request, whatever the budget. `choose` lists the outputs that have to go.
 */
function omitAlways(
	name: string,
	choose: (history: readonly HostMessage[]) => readonly Result[],
): ReplayPolicy {
	return {
		name,
		exempt: ["identity", "prefix"],
		open() {
			const omission = createOmission();
			return (history) => {
				for (const result of choose(history)) if (!omission.has(result)) omission.omit(result);
				return { messages: omission.project(history), pass: undefined };
			};
		},
	};
}

const allBut = (newest: number, results: readonly Result[]) =>
	results.slice(0, Math.max(0, results.length - newest));

/**
 * Observation masking: of all outputs the last `keep` stay (SWE-agent's `last_n_observations`; observation masking in
 * "The Complexity Trap", arXiv 2508.21433).
 */
export const masking = defineKind("masking", { keep: 10 }, (name, { keep }) =>
	omitAlways(name, (history) => allBut(keep, history.filter(isResult))),
);

/**
 * Stride pruning (lean-ctx's `cache-aware` history mode, described in yvgude/lean-ctx issue 448): the outputs of all
 * messages before a boundary leave, and the boundary advances by whole strides, so that the prefix is the same between
 * two advances. `stride`: messages by which it advances; `keep`: messages behind it, at least. Departures: lean-ctx
 * leaves a summary stub, and counts the messages of its API.
 */
export const stride = defineKind("stride", { stride: 16, keep: 16 }, (name, knobs) =>
	omitAlways(name, (history) => {
		const step = Math.max(1, knobs.stride);
		const boundary = Math.floor(Math.max(0, history.length - knobs.keep) / step) * step;
		return history.slice(0, boundary).filter(isResult);
	}),
);

interface Knobs {
	readonly keep: number;
	readonly trigger: number;
	readonly "clear-at-least": number;
	readonly exclude: readonly string[];
}

/**
 * Anthropic's context editing, `clear_tool_uses_20250919` (context-editing guide), with its own knobs and defaults:
 * beyond `trigger` tokens (0 stands for the budget; the API's default is 100k) the outputs of all tool uses but the
 * `keep` most recent ones leave, `clear-at-least` so many tokens or nothing, `exclude` tools. The API is taken to
 * remember what it cleared: it clears again when what is left passes the trigger. `clear_tool_inputs` is not replayed.
 */
export const clearToolUses = defineKind(
	"clear-tool-uses",
	{ keep: 3, trigger: 0, "clear-at-least": 0, exclude: [] },
	(name, knobs): ReplayPolicy => ({
		name,
		exempt: knobs.trigger > 0 ? ["identity"] : [],
		open: (settings) => openClearing(settings, knobs),
	}),
);

function openClearing({ budget, fixed, sizes }: PolicySettings, knobs: Knobs) {
	const cleared = createOmission();
	const trigger = knobs.trigger || budget;
	const tokensOf = (message: HostMessage) => sum(sizes(message));
	const project = (history: readonly HostMessage[]) => {
		const messages = cleared.project(history);
		return { messages, tokens: fixed.system + fixed.tools + sum(messages.map(tokensOf)) };
	};
	return (history: readonly HostMessage[]) => {
		const before = project(history);
		const unchanged = { messages: before.messages, pass: undefined };
		if (before.tokens <= trigger) return unchanged;
		// All tool uses count towards those that are kept, excluded ones too.
		const freed = (result: Result) => tokensOf(result) - tokensOf({ ...result, content });
		const due = allBut(knobs.keep, history.filter(isResult)).filter(
			(result) => !knobs.exclude.includes(result.toolName) && !cleared.has(result) && freed(result) > 0,
		);
		if (due.length === 0 || sum(due.map(freed)) < knobs["clear-at-least"]) return unchanged;
		for (const result of due) cleared.omit(result);
		const { messages, tokens } = project(history);
		return { messages, pass: { before: before.tokens, after: tokens } };
	};
}
