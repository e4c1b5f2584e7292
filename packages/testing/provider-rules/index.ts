import type { Rule } from "../refusal.ts";
import { checkPrefill, contentRules } from "./anthropic-content.ts";
import { budgetRules, thinkingRules } from "./anthropic-thinking.ts";
import { toolRules } from "./anthropic-tools.ts";

export { checkLoopThinking, checkOwnLoopThinking } from "./anthropic-thinking.ts";
export { completionsRules } from "./completions.ts";
export { checkStepsSigned, googleRules } from "./google.ts";
export { responsesRules } from "./responses.ts";

/** The client mistakes that the Messages API refuses, in the order in which it looks for them. */
export const anthropicRules: readonly Rule[] = [
	...contentRules,
	...budgetRules,
	...toolRules,
	...thinkingRules,
	checkPrefill,
];
