/**
 * Observation masking: all calls stay, and of their outputs only the last ten, unless told otherwise; a placeholder stands for the others
 * (SWE-agent's `last_n_observations`; observation masking in "The Complexity Trap", arXiv 2508.21433).
 * It runs at every request whatever the budget, and does not keep to it.
 */
import type { HostMessage } from "#pi";
import { defineKind } from "./knobs.ts";
import { omitOutput } from "./shortened-output.ts";

/** `keep`: outputs that stay. */
export const masking = defineKind("masking", { keep: 10 }, (name, { keep }) => ({
	name,
	exempt: ["identity", "prefix"],
	open() {
		const masked = new Map<HostMessage, HostMessage>();
		return (history) => {
			const results = history.filter((message) => message.role === "toolResult");
			for (const result of results.slice(0, Math.max(0, results.length - keep))) {
				if (!masked.has(result)) masked.set(result, omitOutput(result));
			}
			const messages = history.map((message) => masked.get(message) ?? message);
			return { messages, pass: undefined };
		};
	},
}));
