/** Replays recorded sessions under policies, and measures, compares and reports the results. */

export { alignRequest, baseId } from "./metrics/alignment.ts";
export { bootstrap, type Interval } from "./metrics/bootstrap.ts";
export type { GroundingKind } from "./metrics/grounding.ts";
export { requestSeconds } from "./metrics/latency.ts";
export { loadModelPrices, loadModels, type ModelProfile } from "./metrics/model-prices.ts";
export { percentile } from "./metrics/percentile.ts";
export { createPrefixMeter, isSameMessage } from "./metrics/prefix.ts";
export { type PriceList, priceCall } from "./metrics/prices.ts";
export { createRuleCheck, type Violation } from "./metrics/rules.ts";
export { type Choice, paretoFront } from "./pages/pareto-front.ts";
export { formatPage } from "./pages/replay-page.ts";
export { formatSweepPage, type SweepRow, type SweepText } from "./pages/sweep-page.ts";
export { reportPath, writeReport } from "./pages/write-session-page.ts";
export { loadPolicies } from "./policies/own-policies.ts";
export { parsePolicies } from "./policies/registry.ts";
export type { ReplayPolicy } from "./policies/replay-policy.ts";
export { makeTrajectory } from "./readers/atif-writer.ts";
export { fileError } from "./readers/file-error.ts";
export { type Fields, isFields, parseFields } from "./readers/json.ts";
export { readLines } from "./readers/lines.ts";
export { readSession } from "./readers/registry.ts";
export { findSessionFiles } from "./readers/session-files.ts";
export type { RecordedSession } from "./readers/session-reader.ts";
export { type FoundFolder, findUsualFolders, listUsualFolders } from "./readers/usual-folders.ts";
export { annotateMessages, annotations } from "./recording/annotation.ts";
export { type Chaining, chainings } from "./recording/chain-sessions.ts";
export { planRuns } from "./recording/plan-marks.ts";
export { createSizes, openRecording, type Recording, sum } from "./recording/recording.ts";
export { type MarkedEpisode, writeMarks } from "./recording/write-marks.ts";
export { createReport, type ReportOptions as RunReportOptions } from "./report/create-report.ts";
export { formatCsv } from "./report/csv.ts";
export { markdownTable } from "./report/markdown.ts";
export { mergeReport } from "./report/merged-report.ts";
export type { Report } from "./report/report.ts";
export { formatReport } from "./report/table.ts";
export { addRow, headerFor, openRows } from "./run/rows-file.ts";
export {
	type Progress,
	type Run,
	type RunOptions,
	type RunPart,
	type RunPlan,
	runReplays,
} from "./run/run.ts";
export { createLocalRunner, createThreadRunner } from "./run/runner.ts";
export { replayRecording, type SessionReplay } from "./run/session-replay.ts";
export { openReplay, type ReplaySettings, type ReplaySetup } from "./run/setup.ts";
export { isInShard, parseShard, type Shard, wholeRun } from "./run/shard.ts";
export { makeReport, type ReportOptions } from "./session-report/make-report.ts";
export { type Arm, armsUnder } from "./simulation/arm.ts";
export { replaySession } from "./simulation/replay.ts";
export { createReplayPrompt } from "./simulation/replay-prompt.ts";
