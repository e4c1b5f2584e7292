/** Observation masking: a placeholder stands where an output was, and every call stays. It bounds outputs and not the context. */
import { placeholderText } from "#core/projection";
import type { HostMessage } from "#pi/codec";
import { defineKind } from "./knobs.ts";

type Result = HostMessage & { readonly role: "toolResult" };

const content: Result["content"] = [{ type: "text", text: placeholderText({ type: "omitted" }) }];

/** Returns true for a result that holds nothing but the placeholder. */
export function isOmitted(message: HostMessage): boolean {
	return message.role === "toolResult" && message.content === content;
}

/**
 * Of all outputs the last `keep` stay (SWE-agent's `last_n_observations`; observation masking in "The Complexity Trap",
 * arXiv 2508.21433).
 */
export const masking = defineKind("masking", { keep: 10 }, (name, { keep }) => ({
	name,
	exempt: ["identity", "prefix"],
	open() {
		/** The same object stands for the same result, so that it is counted once. */
		const omitted = new Map<HostMessage, HostMessage>();
		return (history) => {
			const results = history.filter((message): message is Result => message.role === "toolResult");
			for (const result of results.slice(0, Math.max(0, results.length - keep))) {
				if (!omitted.has(result)) omitted.set(result, { ...result, content });
			}
			return { messages: history.map((message) => omitted.get(message) ?? message), pass: undefined };
		};
	},
}));
