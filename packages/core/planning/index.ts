export { type AutoBudget, autoBudgetFor, budgetCeiling, withAutoBudget } from "./auto-budget.ts";
export { batchPolicy, lowWaters } from "./batch-policy.ts";
export { type ComponentBudget, type ComponentBudgets, withComponentBudgets } from "./component-budgets.ts";
export { type Descriptions, planDescriptions, withDescriptions } from "./descriptions.ts";
export { evictableIn, inProgressIn, protectedEpisodes } from "./evictable.ts";
export { type FadingMode, fadingModes, planFadePass, withFading } from "./fading.ts";
export { findReferences } from "./item-texts.ts";
export { makePass, newestOf } from "./make-pass.ts";
export { lowWaterOf, MANUAL_PASS, planEpisode, planManualPass } from "./manual-pass.ts";
export { passEffect, tokensBeforeCut } from "./pass-effect.ts";
export { type PlanInput, type Policy, sparing } from "./policy.ts";
export { previewPass } from "./preview.ts";
export { tokensWithResults } from "./strip-levels.ts";
export {
	firstChange,
	forfeitThinking,
	isPrefixChange,
	PREFIX_CHANGED,
	planChangeAt,
	planPrefixChange,
	thinkingOnly,
} from "./thinking.ts";
