import { type Agent, type AgentInputItem, run } from "@openai/agents-core";
import { createFileStore, createInputFilter } from "#adapters/openai-agents";

/**
 * Answers the last message of a chat. Returns the whole history: add the next question to it. Requests send what fits the
 * `budget`, in tokens.
 */
export async function answer(
	agent: Agent,
	chat: { readonly id: string; readonly history: AgentInputItem[] },
	budget = 60_000,
	folder = ".cwl",
): Promise<AgentInputItem[]> {
	const callModelInputFilter = createInputFilter({
		sessionOf: () => chat.id,
		budget,
		countTokens: (text) => Math.ceil(text.length / 4),
		tools: {
			read: { effect: "reads", output: "intermediate" },
			edit: { effect: "writes", output: "record" },
		},
		store: createFileStore(folder),
	});
	const { history } = await run(agent, chat.history, { callModelInputFilter, maxTurns: 100 });
	return history;
}
