export { oddsLaw, SHORT_TIME, SMALL_SIZE } from "./chance.ts";
export { inProgressIn } from "./evictable.ts";
export {
	afterResults,
	atNextTurn,
	weighAtNextTurn,
} from "./later-input.ts";
export { ceilingOf, ceilingUnder, limitsOf, lowWaterOf } from "./limits.ts";
export { newestOf } from "./make-pass.ts";
export * from "./manual-pass.ts";
export { passEffect, tokensBeforeCut } from "./pass-effect.ts";
export { decidePass, isWorthwhileEarly, likelyRequests, pays } from "./payoff.ts";
export { joinParts, planPass } from "./plan.ts";
export * from "./policy.ts";
export * from "./thinking.ts";
