/** Another extension that removes history: of the calls of earlier turns it sends the newest four, and says so in a message of its own. */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";

const KEPT_CALLS = 4;

export default function pruning(pi: ExtensionAPI) {
	pi.on("context", ({ messages }) => {
		const turn = messages.findLastIndex(({ role }) => role === "user");
		const calls = messages
			.slice(0, turn)
			.flatMap((message) => (message.role === "assistant" ? message.content : []))
			.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
		const pruned = new Set(calls.slice(0, -KEPT_CALLS));
		if (pruned.size === 0) return undefined;
		const kept = messages.flatMap((message): typeof messages => {
			if (message.role === "toolResult") return pruned.has(message.toolCallId) ? [] : [message];
			if (message.role !== "assistant") return [message];
			const content = message.content.filter((block) => block.type !== "toolCall" || !pruned.has(block.id));
			return content.some((block) => block.type !== "thinking") ? [{ ...message, content }] : [];
		});
		const first = kept.findIndex(({ role }) => role === "user");
		const note = {
			role: "user" as const,
			content: [{ type: "text" as const, text: `[${pruned.size} calls were pruned]` }],
			timestamp: kept[first]?.timestamp ?? 0,
		};
		return { messages: kept.toSpliced(first + 1, 0, note) };
	});
}
