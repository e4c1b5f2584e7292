/** Thinking for answers that were recorded without any, so that every session tests what passes do to it. */
import type { HostMessage } from "#pi";

/** Thinking is half as long as the answer, within these limits in tokens. */
const SHARE = 0.5;
const LIMITS = { least: 60, most: 2_000 };

/** The messages in which every answer thinks. `tokensOf` measures an answer. */
export function addMissingThinking(
	messages: readonly HostMessage[],
	tokensOf: (message: HostMessage) => number,
): readonly HostMessage[] {
	return messages.map((message) => {
		if (message.role !== "assistant" || message.content.length === 0) return message;
		if (message.content.some(({ type }) => type === "thinking")) return message;
		const tokens = Math.min(LIMITS.most, Math.max(LIMITS.least, Math.round(SHARE * tokensOf(message))));
		const block = {
			type: "thinking",
			thinking: " think".repeat(tokens),
			thinkingSignature: "added",
		} as const;
		return { ...message, content: [block, ...message.content] };
	});
}
