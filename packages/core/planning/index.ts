export {
	type AutoBudget,
	autoBudgetFor,
	budgetCeiling,
	chooseBudget,
	withAutoBudget,
} from "./auto-budget.ts";
export { batchPolicy, lowWaters } from "./batch-policy.ts";
export { type ComponentBudget, type ComponentBudgets, withComponentBudgets } from "./component-budgets.ts";
export { type Decision, passReasons } from "./economics.ts";
export { isRequiredReasoning } from "./episode-eviction.ts";
export { evictableIn, inProgressIn } from "./evictable.ts";
export { beginEviction, type Eviction } from "./eviction.ts";
export { type FadingMode, fadingModes } from "./fading.ts";
export { makePass, newestOf } from "./make-pass.ts";
export { lowWaterOf, MANUAL_PASS, planEpisode, planManualPass } from "./manual-pass.ts";
export { type PassEffect, passEffect } from "./pass-effect.ts";
export { cwl } from "./policies/cwl.ts";
export { fifo } from "./policies/fifo.ts";
export { hybrid } from "./policies/hybrid.ts";
export { lru } from "./policies/lru.ts";
export { createPaper, paper, paperAdapted } from "./policies/paper.ts";
export { type Departure, departures } from "./policies/paper-order.ts";
export { priority } from "./policies/priority.ts";
export { semanticMerge } from "./policies/semantic-merge.ts";
export { type as typeBased } from "./policies/type-based.ts";
export type { PlanInput, Policy } from "./policy.ts";
export { tokensBeforeCut } from "./prefix-cut.ts";
export { type PassPreview, previewPass } from "./preview.ts";
export { protectedEpisodes } from "./protected-episodes.ts";
export { findReferences } from "./references.ts";
export { sparing } from "./spare-brought-back.ts";
export { itemsAtLevel, tokensWithResults } from "./strip-levels.ts";
export { collectUnits, episodeByItem, type VisibleUnits } from "./units.ts";
export { planFadePass, withFading } from "./with-fading.ts";
