/**
 * Trimming before the first send (rtk, github.com/rtk-ai/rtk): the output of a shell command loses blank lines and repeated
 * ones, and of a long one only the beginning and the end are sent. An output never changes later, so no cached prefix breaks.
 * Departures: rtk has a filter for each of some fifty commands; this is the part that they share. It bounds outputs and not
 * the context.
 */
import { commandText } from "#core/transcript";
import type { HostMessage } from "#pi";
import { defineKind } from "./knobs.ts";
import { shortenOutput } from "./shortened-output.ts";

type Result = HostMessage & { readonly role: "toolResult" };

/** `head`, `tail`: lines that stay of a long output. */
export const trim = defineKind("trim", { head: 20, tail: 40 }, (name, { head, tail }) => ({
	name,
	exempt: ["identity"],
	open() {
		const commands = new Set<string>();
		const trimmed = new Map<HostMessage, HostMessage>();
		let seen = 0;
		return (history) => {
			for (const message of history.slice(seen)) {
				if (message.role === "assistant") {
					for (const block of message.content) {
						if (block.type !== "toolCall") continue;
						if (commandText(block.arguments) === undefined) commands.delete(block.id);
						else commands.add(block.id);
					}
				} else if (message.role === "toolResult" && commands.has(message.toolCallId)) {
					const short = trimOutput(message, head, tail);
					if (short) trimmed.set(message, short);
				}
			}
			seen = history.length;
			const messages = history.map((message) => trimmed.get(message) ?? message);
			return { messages, pass: undefined };
		};
	},
}));

/** Undefined if nothing would be saved, or if the output holds more than text. */
function trimOutput(result: Result, head: number, tail: number): Result | undefined {
	const texts = result.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
	if (texts.length < result.content.length) return undefined;
	const whole = texts.join("\n");
	const lines = whole.split("\n").filter((line, index, all) => line.trim() !== "" && line !== all[index - 1]);
	const left = lines.length - head - tail;
	const kept = left > 0 ? [...lines.slice(0, head), `[${left} lines omitted]`, ...lines.slice(-tail)] : lines;
	const text = kept.join("\n");
	return text.length < whole.length ? shortenOutput(result, text) : undefined;
}
