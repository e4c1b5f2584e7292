/** A provider for pi's agent that answers at once with the replies of a scripted model. */
import type { StreamFn } from "@mariozechner/pi-agent-core";
import { type AssistantMessage, type Context, createAssistantMessageEventStream } from "@mariozechner/pi-ai";
import type { ModelReply, ScriptedModel } from "#loopback";
import { assistantMessage } from "./assistant-message.ts";
import { toModelMessages } from "./model-messages.ts";

/** `onAnswer` receives each answer before the agent does. */
export function createScriptedStream(
	model: ScriptedModel,
	onAnswer: (message: AssistantMessage) => void = () => {},
): StreamFn {
	let replies = 0;
	return (_model, { systemPrompt = "", tools = [], messages }: Context) => {
		const stream = createAssistantMessageEventStream();
		replies += 1;
		const reply = model({ system: systemPrompt, tools, messages: toModelMessages(messages) });
		const message = toMessage(reply, replies);
		onAnswer(message);
		stream.push({ type: "done", reason: message.stopReason === "toolUse" ? "toolUse" : "stop", message });
		return stream;
	};
}

function toMessage({ thinking, text, calls = [] }: ModelReply, reply: number): AssistantMessage {
	const content: AssistantMessage["content"] = [];
	if (thinking) content.push({ type: "thinking", thinking });
	if (text) content.push({ type: "text", text });
	for (const [index, { name, arguments: input }] of calls.entries())
		content.push({ type: "toolCall", id: `call-${reply}-${index}`, name, arguments: { ...input } });
	const stopReason = calls.length > 0 ? "toolUse" : "stop";
	return assistantMessage(content, { stopReason, timestamp: Date.now() });
}
