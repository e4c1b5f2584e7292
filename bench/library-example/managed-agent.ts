/** The library's first example, as docs/library.md shows it: pi's agent with the engine as its `transformContext`. */
import { Agent, type AgentOptions } from "@mariozechner/pi-agent-core";
import { createManagedSession, defaultToolTable, loadTokenCounter, policyByName } from "#pi";

/** An agent whose requests stay within a budget, in tokens. `fixed` is the size of its system prompt and tools. */
export async function createManagedAgent(
	budget: number,
	fixed: { readonly system: number; readonly tools: number },
	options: AgentOptions,
): Promise<Agent> {
	const session = createManagedSession(await loadTokenCounter(), defaultToolTable);
	const settings = { policy: policyByName("cwl"), budget, fixed };
	return new Agent({
		...options,
		transformContext: async (messages) => session.request(messages, settings).messages,
	});
}
