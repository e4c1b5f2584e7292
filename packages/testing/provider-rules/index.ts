export { anthropicRules, checkLoopThinking, checkOwnLoopThinking } from "./anthropic.ts";
export { completionsRules } from "./completions.ts";
export { checkStepsSigned, googleRules } from "./google.ts";
export { responsesRules } from "./responses.ts";
