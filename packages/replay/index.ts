/** Replays recorded sessions under policies, and measures, compares and reports the results. */

export { alignRequest, baseId } from "./metrics/alignment.ts";
export { createPrefixMeter, isSameMessage } from "./metrics/prefix.ts";
export {
	loadModelPrices,
	loadModels,
	type ModelProfile,
	type PriceList,
	priceCall,
	requestSeconds,
} from "./metrics/prices.ts";
export { createRuleCheck, type Violation } from "./metrics/rules.ts";
export { formatPage } from "./pages/replay-page.ts";
export { reportPath, writeReport } from "./pages/session-page.ts";
export { loadPolicies, parsePolicies } from "./policies/registry.ts";
export type { ReplayPolicy } from "./policies/replay-policy.ts";
export { makeTrajectory } from "./readers/atif-writer.ts";
export { modelReply } from "./readers/draft.ts";
export { type Fields, isFields, parseFields } from "./readers/json.ts";
export { fileError, readLines } from "./readers/lines.ts";
export { readSession } from "./readers/registry.ts";
export {
	type FoundFolder,
	findSessionFiles,
	findUsualFolders,
	listUsualFolders,
} from "./readers/session-files.ts";
export { annotations } from "./recording/annotation.ts";
export { createSizes, openRecording, type Recording, sum } from "./recording/recording.ts";
export { createReport, type Report } from "./report/report.ts";
export { formatReport, markdownTable } from "./report/tables.ts";
export { createLocalRunner, createThreadRunner } from "./run/jobs.ts";
export { parseShard, type Shard } from "./run/rows.ts";
export { mergeRuns, type Progress, type Run, type RunOptions, runReplays } from "./run/run.ts";
export { type ReplayedRequest, replaySession } from "./run/session.ts";
export {
	type Arm,
	armsUnder,
	createReplayPrompt,
	openReplay,
	type ReplaySettings,
	type ReplaySetup,
} from "./run/setup.ts";
export { makeReport, type ReportOptions } from "./session-report/make-report.ts";
