/** pi's own path through the engine, which the adapters are compared with. */
import { createManagedSession, defaultToolTable, type HostMessage, policyByName } from "#pi";
import { createPlayer, type HostRun } from "./host-run.ts";
import type { Answer, Block } from "./script.ts";

type ModelMessage = HostMessage & { readonly role: "assistant" };

export const runPi: HostRun = async (turns, { context, restarts }) => {
	const player = createPlayer(turns);
	const { budget, prices, lowWater } = context;
	const settings = {
		...{ policy: policyByName("cwl"), budget, fixed: { system: 0, tools: 0 } },
		...(prices && { prices }),
		...(lowWater !== undefined && { lowWater }),
	};
	const open = () => createManagedSession(context.countTokens, defaultToolTable);
	let session = open();
	const messages: HostMessage[] = [];
	for (const { asks, answers } of turns) {
		if (restarts) {
			const { log } = session.state();
			session = open();
			session.restore(JSON.parse(JSON.stringify(log)));
		}
		messages.push({ role: "user", content: asks, timestamp: messages.length });
		for (const _ of answers) {
			const sent = session.request(structuredClone(messages), settings).messages;
			const answer = player.answer(sent.flatMap(readMessage));
			messages.push(toMessage(answer, messages.length));
			for (const { id, name, result } of answer.calls) {
				const content = [{ type: "text" as const, text: result }];
				const timestamp = messages.length;
				messages.push({
					role: "toolResult",
					toolCallId: id,
					toolName: name,
					content,
					isError: false,
					timestamp,
				});
			}
		}
	}
	return player.requests;
};

function toMessage({ thinking, text, calls }: Answer, timestamp: number): ModelMessage {
	return {
		...{ role: "assistant", api: "anthropic-messages", provider: "p", model: "m", timestamp },
		stopReason: calls.length > 0 ? "toolUse" : "stop",
		usage: {
			...{ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
			cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
		},
		content: [
			...(thinking === "" ? [] : [{ type: "thinking" as const, thinking, thinkingSignature: "s" }]),
			...(text === "" ? [] : [{ type: "text" as const, text }]),
			...calls.map(({ id, name, arguments: args }) => ({
				...{ type: "toolCall" as const, id, name, arguments: { ...args } },
			})),
		],
	};
}

function readMessage(message: HostMessage): readonly Block[] {
	if (message.role === "toolResult") {
		return [{ type: "result", id: message.toolCallId, text: textsIn(message.content) }];
	}
	if (message.role !== "assistant") {
		return "content" in message ? [{ type: "user", text: textsIn(message.content) }] : [];
	}
	return message.content.map((block): Block => {
		if (block.type === "thinking") return { type: "thinking", text: block.thinking };
		if (block.type === "text") return { type: "text", text: block.text };
		return { type: "call", id: block.id, name: block.name, arguments: block.arguments };
	});
}

function textsIn(content: string | readonly { readonly type: string; readonly text?: string }[]): string {
	return typeof content === "string" ? content : content.map(({ text = "" }) => text).join("\n");
}
