/** The engine as a library: pure, no dependency, no clock, no randomness, no tokenizer. */
export {
	advanceProtocol,
	DELIMITER,
	decideDelimiter,
	emptyProtocol,
	type ProtocolState,
} from "./annotation/delimiter.ts";
export { type Nudge, nudgeFor } from "./annotation/nudge.ts";
export { FNV1A_START, fnv1a, fnv1aStep } from "./fnv1a.ts";
export { editDistance, findEpisode } from "./graph/episode-ref.ts";
export { recordOf } from "./graph/evicted-episode.ts";
export { createGraphFold, foldTranscript, type GraphFold } from "./graph/fold.ts";
export { type Episode, type EpisodeId, type Graph, rankOf } from "./graph/graph.ts";
export { compactGraph } from "./graph/graph-compaction.ts";
export { type BurnRate, measureBurnRate } from "./health/burn-rate.ts";
export { type Health, measureHealth } from "./health/health.ts";
export { createLoopBreaker } from "./health/loop-breaker.ts";
export {
	defaultZoneEnds,
	measurePressure,
	type Pressure,
	type Zone,
	type ZoneEnds,
} from "./health/pressure.ts";
export type { Regret } from "./health/regret.ts";
export type { PassRegret } from "./health/regret-by-pass.ts";
export { isRecord, type UnknownRecord } from "./is-record.ts";
export {
	type Calibration,
	calibrate,
	countedBudget,
	reportedBudget,
	reportedTokens,
	uncalibrated,
} from "./ledger/calibration.ts";
export { computeLedger, type FixedTokens, type Ledger, totalTokens } from "./ledger/ledger.ts";
export { accountFor, type RequestAccount, sumAccounts } from "./ledger/request-account.ts";
export { measureFloor } from "./ledger/unevictable.ts";
export type { Blocker } from "./log/blocker.ts";
export type { IndexLine, Marker, Pass, Release, Strip, StripLevel } from "./log/pass.ts";
export { recountEpisodes } from "./log/recount.ts";
export { createViewBuilder, type View, type ViewBuilder, viewAfter, viewOfLog } from "./log/view.ts";
export type { CachePrices, Decision } from "./planning/economics.ts";
export { isRequiredReasoning } from "./planning/episode-eviction.ts";
export { makePass, newestOf } from "./planning/make-pass.ts";
export { beginEviction, type Eviction } from "./planning/pass-builder.ts";
export { type PassEffect, passEffect } from "./planning/pass-effect.ts";
export type { PlanInput, Policy } from "./planning/plan.ts";
export { cwl, lowWaters } from "./planning/policies/cwl.ts";
export { paper } from "./planning/policies/paper.ts";
export { tokensBeforeCut } from "./planning/prefix-cut.ts";
export { lowWaterOf, MANUAL_PASS, planEpisode, planManualPass, previewPass } from "./planning/preview.ts";
export { protectedEpisodes } from "./planning/protected-episodes.ts";
export { sparing } from "./planning/sparing.ts";
export {
	evictableIn,
	type IsRemoved,
	isInProgress,
	itemsAtLevel,
	removedBy,
	tokensWithResults,
} from "./planning/strip-levels.ts";
export { collectUnits, episodeByItem, type VisibleUnits } from "./planning/units.ts";
export { type Descriptions, planDescriptions, withDescriptions } from "./projection/descriptions.ts";
export { indexLineText, MAX_NAME_LENGTH, markerText } from "./projection/markers.ts";
export { createProjection, type ProjectedPart, project, sentBy } from "./projection/projection.ts";
export { printable, quote, quoteStart } from "./projection/quote.ts";
export { createRecallIndex, type Found, RECALL, type RecallIndex, type RecallPart } from "./recall/recall.ts";
export { seededRandom } from "./seeded-random.ts";
export {
	commandText,
	defaultToolTable,
	effectOf,
	isReadOnlyCommand,
	type ToolTable,
	traitsOf,
} from "./transcript/tool-table.ts";
export {
	type Digest,
	digestOf,
	type Item,
	type ItemId,
	sumTokens,
	type ToolCall,
	type TranscriptMessage,
	type UserItem,
} from "./transcript/transcript.ts";
