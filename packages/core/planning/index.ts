export { evictableIn, inProgressIn, protectedEpisodes } from "./evictable.ts";
export { planFadePass } from "./fading.ts";
export { ceilingUnder, limitsOf, lowWaterOf, markOf } from "./limits.ts";
export { makePass, newestOf } from "./make-pass.ts";
export {
	type Descriptions,
	MANUAL_PASS,
	planDescriptions,
	planEpisode,
	planManualPass,
	withDescriptions,
} from "./manual-pass.ts";
export { passEffect, tokensBeforeCut } from "./pass-effect.ts";
export { decidePass, isWorthwhileEarly, likelyRequests, pays } from "./payoff.ts";
export { planPass, previewPass } from "./plan.ts";
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
export { unpaidRegrets } from "./seams.ts";
export {
	firstChange,
	forfeitThinking,
	isPrefixChange,
	PREFIX_CHANGED,
	planChangeAt,
	planPrefixChange,
	thinkingOnly,
} from "./thinking.ts";
