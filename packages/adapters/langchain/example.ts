import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { StructuredTool } from "@langchain/core/tools";
import { createAgent } from "langchain";
import { createFileStore, cwlMiddleware } from "#adapters/langchain";

/** Creates an agent whose requests stay below a budget, in tokens. Its threads keep all of their messages. */
export function createManagedAgent(
	model: BaseChatModel,
	tools: readonly StructuredTool[],
	budget = 60_000,
	folder = ".cwl",
) {
	const middleware = cwlMiddleware({
		budget,
		countTokens: (text) => Math.ceil(text.length / 4),
		tools: {
			read: { effect: "reads", output: "intermediate" },
			edit: { effect: "writes", output: "record" },
		},
		store: createFileStore(folder),
	});
	return createAgent({ model, tools: [...tools], middleware: [middleware] });
}
