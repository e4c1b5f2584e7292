export { type Descriptions, planDescriptions, withDescriptions } from "./descriptions.ts";
export { evictableIn, inProgressIn, protectedEpisodes } from "./evictable.ts";
export { planFadePass } from "./fading.ts";
export { ceilingUnder, limitsOf, lowWaterOf, markOf } from "./limits.ts";
export { makePass, newestOf } from "./make-pass.ts";
export { MANUAL_PASS, planEpisode, planManualPass } from "./manual-pass.ts";
export { passEffect, tokensBeforeCut } from "./pass-effect.ts";
export { decidePass, likelyRequests, pays } from "./payoff.ts";
export { planPass } from "./plan.ts";
export {
	type ComponentBudget,
	type ComponentBudgets,
	type Dial,
	dials,
	type FadingMode,
	fadingModes,
	type Limits,
	type PlanInput,
	type Policy,
} from "./policy.ts";
export { previewPass } from "./preview.ts";
export { unpaidRegrets } from "./seams.ts";
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
export { isWorthwhileEarly } from "./worthwhile.ts";
