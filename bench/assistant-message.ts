/** Answers of a model as pi stores them, with nothing charged. */
import type { AssistantMessage } from "@mariozechner/pi-ai";

const NO_USAGE: AssistantMessage["usage"] = {
	input: 0,
	output: 0,
	cacheRead: 0,
	cacheWrite: 0,
	totalTokens: 0,
	cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

/** Omitted fields are those of a call to an Anthropic model at time 0. */
export function assistantMessage(
	content: AssistantMessage["content"],
	fields: Partial<AssistantMessage> = {},
): AssistantMessage {
	const model = { api: "anthropic-messages", provider: "anthropic", model: "scripted" } as const;
	return {
		role: "assistant",
		content,
		...model,
		usage: NO_USAGE,
		stopReason: "toolUse",
		timestamp: 0,
		...fields,
	};
}
