/** The AI SDK with a scripted model: one `generateText` for each turn. */
import { generateText, jsonSchema, type ModelMessage, stepCountIs, tool } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { createPlayer, type HostRun, type Player } from "../conformance/host-run.ts";
import type { Answer, Block, Request } from "../conformance/script.ts";
import { createPrepareStep } from "./index.ts";

type Call = MockLanguageModelV3["doGenerateCalls"][number];
type Generated = Awaited<ReturnType<MockLanguageModelV3["doGenerate"]>>;

export const runAiSdk: HostRun = async (turns, { context, restarts }) => {
	const player = createPlayer(turns);
	const { model, tools } = scripted(player);
	let prepareStep = createPrepareStep({ session: "s", ...context });
	let messages: ModelMessage[] = [];
	for (const { asks } of turns) {
		if (restarts) prepareStep = createPrepareStep({ session: "s", ...context });
		messages.push({ role: "user", content: asks });
		const result = await generateText({
			model,
			tools,
			messages,
			prepareStep,
			stopWhen: stepCountIs(99),
		});
		messages = [...messages, ...messagesOf(result)];
		if (restarts) messages = JSON.parse(JSON.stringify(messages));
	}
	return player.requests;
};

interface Generation {
	readonly response: { readonly messages: readonly ModelMessage[] };
	readonly responseMessages?: readonly ModelMessage[];
}

/** All messages of a turn. From version 7 on `response.messages` are those of its last step. */
function messagesOf({ response, responseMessages }: Generation): readonly ModelMessage[] {
	return responseMessages ?? response.messages;
}

/** A model and tools that play a script. */
export function scripted(player: Player) {
	const model = new MockLanguageModelV3({
		doGenerate: async ({ prompt }) => generated(player.answer(readPrompt(prompt))),
	});
	const anyTool = () =>
		tool({
			inputSchema: jsonSchema<object>({ type: "object" }),
			execute: async (_input, { toolCallId }) => player.resultOf(toolCallId),
		});
	return { model, tools: { read: anyTool(), edit: anyTool() } };
}

function generated({ thinking, text, calls }: Answer): Generated {
	return {
		content: [
			...(thinking === "" ? [] : [{ type: "reasoning" as const, text: thinking }]),
			...(text === "" ? [] : [{ type: "text" as const, text }]),
			...calls.map(({ id, name, arguments: input }) => ({
				...{ type: "tool-call" as const, toolCallId: id, toolName: name, input: JSON.stringify(input) },
			})),
		],
		finishReason: { unified: calls.length > 0 ? "tool-calls" : "stop", raw: undefined },
		usage: {
			inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
			outputTokens: { total: 1, text: 1, reasoning: 0 },
		},
		warnings: [],
	};
}

function readPrompt(prompt: Call["prompt"]): Request {
	return prompt.flatMap((message): Block[] => {
		if (message.role === "system") return [];
		return message.content.flatMap((part): Block[] => {
			switch (part.type) {
				case "text":
					return [{ type: message.role === "user" ? "user" : "text", text: part.text }];
				case "reasoning":
					return [{ type: "thinking", text: part.text }];
				case "tool-call":
					return [{ type: "call", id: part.toolCallId, name: part.toolName, arguments: Object(part.input) }];
				case "tool-result":
					return [
						{
							type: "result",
							id: part.toolCallId,
							text: "value" in part.output ? String(part.output.value) : "",
						},
					];
				default:
					return [];
			}
		});
	});
}
