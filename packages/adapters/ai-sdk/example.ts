import { generateText, type LanguageModel, type ModelMessage, stepCountIs, type ToolSet } from "ai";
import { createFileStore, createPrepareStep } from "#adapters/ai-sdk";

interface Chat {
	readonly id: string;
	readonly model: LanguageModel;
	readonly tools: ToolSet;
	/** The whole conversation. Keep all of it: requests send what fits the budget. */
	readonly messages: readonly ModelMessage[];
}

/** Answers the last message of a chat and returns the chat with the answer. `budget` in tokens. */
export async function answer(chat: Chat, budget = 60_000, folder = ".cwl"): Promise<Chat> {
	const prepareStep = createPrepareStep({
		session: chat.id,
		budget,
		countTokens: (text) => Math.ceil(text.length / 4),
		tools: {
			read: { effect: "reads", output: "intermediate" },
			edit: { effect: "writes", output: "record" },
		},
		store: createFileStore(folder),
	});
	const { model, tools, messages } = chat;
	const result = await generateText({
		...{ model, tools, messages: [...messages], prepareStep },
		stopWhen: stepCountIs(100),
	});
	return { ...chat, messages: [...messages, ...result.response.messages] };
}
