/** The fixed part of every replayed request: this project's own prompt and tools, whatever the recorded agent had. */
import type { FixedTokens } from "../packages/core/ledger.ts";
import { basePrompt } from "../packages/host/prompt.ts";
import type { CountTokens } from "../packages/host/tokens.ts";
import { toolWords } from "../packages/host/tool-definitions.ts";

export interface ReplayPrompt {
	readonly system: string;
	readonly fixed: FixedTokens;
}

export function createReplayPrompt(count: CountTokens): ReplayPrompt {
	const system = basePrompt();
	const tools = Object.values(toolWords).reduce((sum, words) => sum + count(JSON.stringify(words)), 0);
	return { system, fixed: { system: count(system), tools } };
}
