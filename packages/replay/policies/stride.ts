/**
 * Stride pruning (lean-ctx's `cache-aware` history mode, described in yvgude/lean-ctx issue 448): the outputs of all messages
 * before a boundary give way to a placeholder, and the boundary advances by whole strides, so that the prefix is the same
 * between two advances. It runs whatever the budget. Departures: lean-ctx leaves a summary stub, and counts the messages of
 * its API.
 */
import type { HostMessage } from "#pi";
import { defineKind } from "./knobs.ts";
import { omitOutput } from "./shortened-output.ts";

/** `stride`: messages by which the boundary advances. `keep`: messages behind it, at least. */
export const stride = defineKind("stride", { stride: 16, keep: 16 }, (name, knobs) => ({
	name,
	exempt: ["identity", "prefix"],
	open() {
		const masked = new Map<HostMessage, HostMessage>();
		return (history) => {
			const step = Math.max(1, knobs.stride);
			const boundary = Math.floor(Math.max(0, history.length - knobs.keep) / step) * step;
			for (const message of history.slice(0, boundary)) {
				if (message.role === "toolResult" && !masked.has(message)) masked.set(message, omitOutput(message));
			}
			const messages = history.map((message) => masked.get(message) ?? message);
			return { messages, pass: undefined };
		};
	},
}));
