/**
 * The engine of Context Window Lifecycle as a library: it keeps an agent's context below a token budget by evicting
 * content in a deterministic order. Pure: no dependency, no clock, no randomness, no tokenizer, no I/O.
 *
 * Begin with `createSession`. The other groups are the parts that it is made of, for hosts that need more control.
 */

// The facade: one session under management.

export { createSession, type Session, type SessionOptions } from "./session.ts";

// The transcript: a host's messages as neutral items, and what its tools do.

export { distinctFiles, findFileNames, findIdentifiers } from "./transcript/names.ts";
export { commandText, isReadOnlyCommand } from "./transcript/shell-command.ts";
export {
	effectOf,
	type NestedCall,
	showsFiles,
	type ToolTable,
	type ToolTraits,
	traitsOf,
} from "./transcript/tool-table.ts";
export {
	type Digest,
	digestOf,
	type FileView,
	type Item,
	type ItemId,
	sumTokens,
	type ToolCall,
	type TranscriptMessage,
	type UserItem,
} from "./transcript/transcript.ts";

// The annotation protocol: the `delimiter` tool with which a model marks episodes, and reminders to use it.

export {
	admitDelimiter,
	advanceProtocol,
	DELIMITER,
	type DelimiterCommand,
	decideDelimiter,
	describeCommand,
	emptyProtocol,
	type ProtocolState,
} from "./annotation/delimiter.ts";
export { type Nudge, nudgeFor } from "./annotation/nudge.ts";

// The episode graph: built from the messages, never saved.

export { type CompactionClock, createCompactionClock, dropEvicted } from "./graph/drop-evicted.ts";
export { editDistance, findEpisode } from "./graph/episode-ref.ts";
export { recordOf } from "./graph/evicted-episode.ts";
export {
	createLiveFold,
	createWholeFold,
	foldTranscript,
	type GraphFold,
	type LiveFold,
} from "./graph/fold.ts";
export {
	componentOf,
	type Episode,
	type EpisodeId,
	type Extent,
	type Graph,
	type LiveGraph,
	type WholeGraph,
} from "./graph/graph.ts";

// The ledger: tokens by component, and the provider's own count.

export {
	type Calibration,
	type CountSample,
	calibrate,
	countedBudget,
	reportedBudget,
	reportedTokens,
	uncalibrated,
} from "./ledger/calibration.ts";
export { type BudgetComponent, budgetComponents } from "./ledger/component-usage.ts";
export { measureFloor } from "./ledger/floor.ts";
export {
	computeLedger,
	type FixedTokens,
	type Ledger,
	leftOf,
	sentSizes,
	totalTokens,
} from "./ledger/ledger.ts";
export { accountFor, type RequestAccount, sumAccounts } from "./ledger/request-account.ts";

// Planning: policies, what they are given, and passes that a user asks for.

export { type IsRemoved, removedBy } from "./log/whole-calls.ts";
export {
	type AutoBudget,
	autoBudgetFor,
	budgetCeiling,
	chooseBudget,
	withAutoBudget,
} from "./planning/auto-budget.ts";
export { batchPolicy, lowWaters } from "./planning/batch-policy.ts";
export {
	type ComponentBudget,
	type ComponentBudgets,
	withComponentBudgets,
} from "./planning/component-budgets.ts";
export { type Decision, passReasons } from "./planning/economics.ts";
export { isRequiredReasoning } from "./planning/episode-eviction.ts";
export { evictableIn, inProgressIn } from "./planning/evictable.ts";
export { beginEviction, type Eviction } from "./planning/eviction.ts";
export { type FadingMode, fadingModes } from "./planning/fading.ts";
export { makePass, newestOf } from "./planning/make-pass.ts";
export { lowWaterOf, MANUAL_PASS, planEpisode, planManualPass } from "./planning/manual-pass.ts";
export { type PassEffect, passEffect } from "./planning/pass-effect.ts";
export { createPinnedMeter } from "./planning/pinned-meter.ts";
export { cwl } from "./planning/policies/cwl.ts";
export { fifo } from "./planning/policies/fifo.ts";
export { hybrid } from "./planning/policies/hybrid.ts";
export { lru } from "./planning/policies/lru.ts";
export { createPaper, paper, paperAdapted } from "./planning/policies/paper.ts";
export { type Departure, departures } from "./planning/policies/paper-order.ts";
export { priority } from "./planning/policies/priority.ts";
export { semanticMerge } from "./planning/policies/semantic-merge.ts";
export { type as typeBased } from "./planning/policies/type-based.ts";
export type { PlanInput, Policy } from "./planning/policy.ts";
export { tokensBeforeCut } from "./planning/prefix-cut.ts";
export { type PassPreview, previewPass } from "./planning/preview.ts";
export { protectedEpisodes } from "./planning/protected-episodes.ts";
export { findReferences } from "./planning/references.ts";
export { createRemaining } from "./planning/remaining-episodes.ts";
export { sparing } from "./planning/spare-brought-back.ts";
export { itemsAtLevel, tokensWithResults } from "./planning/strip-levels.ts";
export { collectUnits, episodeByItem, type VisibleUnits } from "./planning/units.ts";
export { planFadePass, withFading } from "./planning/with-fading.ts";

// Prices of models, and what requests and passes cost at them.

export { type PassPrice, type PricedPass, pricePass } from "./prices/pass-price.ts";
export { findListPrice, type ListPrice, listPrices } from "./prices/price-list.ts";
export { type ModelPrices, requestCost, type TokenPrices, withLongWrites } from "./prices/prices.ts";
export { type CostTable, type ReadPrices, readPrices } from "./prices/read-prices.ts";

// Thinking stays valid (design rule 19).

export { firstChange } from "./thinking/first-change.ts";
export {
	forfeitThinking,
	isPrefixChange,
	keepThinkingValid,
	PREFIX_CHANGED,
	planChangeAt,
	planPrefixChange,
	thinkingOnly,
} from "./thinking/forfeit.ts";

// The eviction log: append-only passes, and the view that they amount to.

export type { Blocker } from "./log/blocker.ts";
export {
	changesContext,
	type Fade,
	type FadeAge,
	type IndexLine,
	type Marker,
	type Pass,
	type Release,
	type Strip,
	type StripLevel,
	touchedEpisodes,
} from "./log/pass.ts";
export { readLog } from "./log/read-log.ts";
export { recountLines } from "./log/recount-lines.ts";
export {
	createViewBuilder,
	isLogged,
	type View,
	type ViewBuilder,
	viewAfter,
	viewOfLog,
} from "./log/view.ts";

// The projection: what a request sends, and the lines in place of evicted content.

export { type Descriptions, planDescriptions, withDescriptions } from "./projection/descriptions.ts";
export { extract } from "./projection/extract.ts";
export { FADED_IMAGE, fadeText, PLACEHOLDER_AGE } from "./projection/fade-text.ts";
export { markerText, withoutRecall } from "./projection/markers.ts";
export {
	createProjection,
	fadeAges,
	type GrowingProjection,
	type ProjectedPart,
	project,
	sentBy,
	sentPlaces,
} from "./projection/projection.ts";
export {
	MAX_NAME_LENGTH,
	nameText,
	printable,
	quote,
	quoteStart,
	unquote,
	visibleText,
} from "./projection/quote.ts";
export { rollUpText } from "./projection/roll-up.ts";

// Recall: evicted content by the name of its episode, by handle, or by file.

export { createRecallIndex, type Found, RECALL, type RecallIndex, type RecallPart } from "./recall/recall.ts";

// Health: how full the context is, how fast it grows, and what was evicted too early.

export { type BurnRate, isSpike, measureBurnRate } from "./health/burn-rate.ts";
export { type ComponentState, measureComponentStates } from "./health/component-state.ts";
export {
	type Health,
	measureHealth,
	measureRunningHealth,
	measureVitals,
	type RunningHealth,
	type Vitals,
} from "./health/health.ts";
export { createLoopBreaker } from "./health/loop-breaker.ts";
export {
	defaultZoneEnds,
	measurePressure,
	type Pressure,
	type Zone,
	type ZoneEnds,
	zoneEndsFor,
	zoneOf,
} from "./health/pressure.ts";
export type { ReadableThinking } from "./health/readable-thinking.ts";
export type { Regret } from "./health/regret.ts";
export type { PassRegret } from "./health/regret-by-pass.ts";

// General helpers.

export { FNV1A_START, fnv1a, fnv1aStep } from "./fnv1a.ts";
export { isRecord, type UnknownRecord } from "./is-record.ts";
export { seededRandom } from "./seeded-random.ts";
