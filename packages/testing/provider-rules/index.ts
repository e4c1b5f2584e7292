export { anthropicRules } from "./anthropic.ts";
export { checkLoopThinking, checkOwnLoopThinking } from "./anthropic-thinking.ts";
export { completionsRules } from "./completions.ts";
export { checkStepsSigned, googleRules } from "./google.ts";
export { responsesRules } from "./responses.ts";
