/**
 * The engine of Context Window Lifecycle as a library: it keeps an agent's context below a token budget by evicting
 * content in a deterministic order. Pure: no dependency, no clock, no randomness, no tokenizer, no I/O.
 *
 * Begin with `createSession`. Inside this repository, the parts that it is made of are imported from their folders.
 */

export { CwlError } from "#basics";
export { DELIMITER, type DelimiterCommand, decideDelimiter } from "./annotation/delimiter.ts";
export type { Episode, EpisodeId } from "./graph/graph.ts";
export type { Health } from "./health/health.ts";
export { type Nudge, nudgeFor } from "./health/marks.ts";
export type { FixedTokens } from "./ledger/ledger.ts";
export type { Blocker, Pass, Strip, StripLevel } from "./log/pass.ts";
export type { PlanInput, Policy } from "./planning/policy.ts";
export { cwl } from "./policies/cwl.ts";
export { paper } from "./policies/paper.ts";
export { type ListPrice, listPrices } from "./prices/price-list.ts";
export type { ModelPrices } from "./prices/prices.ts";
export type { ProjectedPart } from "./projection/projection.ts";
export { createRecallIndex, type RecallIndex } from "./recall/recall.ts";
export { createSession, type Session, type SessionOptions } from "./session.ts";
export type { ToolTable, ToolTraits } from "./transcript/tool-table.ts";
export type { Item, ItemId, ToolCall, TranscriptMessage, UserItem } from "./transcript/transcript.ts";
