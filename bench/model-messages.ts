/** Converts pi's messages to those of a scripted model. */

import type { ModelMessage } from "#loopback";
import { contentText, type HostMessage } from "#pi";

export function toModelMessages(messages: readonly HostMessage[]): readonly ModelMessage[] {
	return messages.flatMap((message) => toModelMessage(message) ?? []);
}

function toModelMessage(message: HostMessage): ModelMessage | undefined {
	switch (message.role) {
		case "user":
		case "custom":
			return { type: "user", text: contentText(message.content) };
		case "assistant": {
			const texts = message.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
			const thoughts = message.content.flatMap((block) =>
				block.type === "thinking" ? [block.thinking] : [],
			);
			const calls = message.content.flatMap((block) =>
				block.type === "toolCall" ? [{ id: block.id, name: block.name, arguments: block.arguments }] : [],
			);
			return { type: "assistant", thinking: thoughts.join(""), text: texts.join("\n"), calls };
		}
		case "toolResult": {
			const { toolCallId: callId, isError } = message;
			return { type: "result", callId, text: contentText(message.content), isError };
		}
		default:
			return undefined;
	}
}
