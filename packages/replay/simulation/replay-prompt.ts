/** The fixed part of every replayed request: this project's own prompt and tools, whatever the recorded agent had. */
import type { FixedTokens } from "#core/ledger";
import { basePrompt, type CountTokens, toolWords } from "#pi";

export interface ReplayPrompt {
	readonly system: string;
	readonly fixed: FixedTokens;
}

export function createReplayPrompt(count: CountTokens): ReplayPrompt {
	const system = basePrompt();
	const tools = Object.values(toolWords).reduce((sum, words) => sum + count(JSON.stringify(words)), 0);
	return { system, fixed: { system: count(system), tools } };
}
