/** Models that carry out what the last prompt asks for, and the calls that they make. */
import type { UnknownRecord } from "#basics";
import type { ModelReply, ScriptedModel } from "#testing";

export const call = (name: string, args: UnknownRecord = {}) => ({ name, arguments: args });
export const read = (path: string, more: UnknownRecord = {}) => call("read", { path, ...more });
export const start = (name: string, type: "expl" | "act", more: UnknownRecord = {}) =>
	call("delimiter", { action: "start", name, type, ...more });
export const end = (description?: string) =>
	call("delimiter", { action: "end", ...(description && { description }) });

/** Takes the steps of the last prompt, one in each request, then says `ok`; sums up where no tool is offered. */
export function following(stepsOf: (prompt: string) => readonly ModelReply[] | undefined): ScriptedModel {
	return ({ messages, tools }) => {
		if (tools.length === 0) return { text: "A summary of the session." };
		// Texts of the extension stand in tags.
		const at = messages.findLastIndex(({ type, text }) => type === "user" && !text.startsWith("<"));
		const taken = messages.slice(at).filter(({ type }) => type === "assistant").length;
		return stepsOf(messages[at]?.text ?? "")?.[taken] ?? { text: "ok" };
	};
}
