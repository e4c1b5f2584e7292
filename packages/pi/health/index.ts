export type { Alert, AlertInput } from "./alert.ts";
export { countDroppedThinking, findAlerts, noDroppedThinking } from "./alerts.ts";
export { largestOfFloor } from "./context-alerts.ts";
export { type Fidelity, measureFidelity } from "./fidelity.ts";
export * from "./health-report.ts";
export {
	describePass,
	type NextPass,
	planNextPasses,
	reportNextPasses,
	takenBy,
} from "./next-passes.ts";
export { firstOfEach, outputWorths } from "./output-worth.ts";
export { createPassReader, describeReasons } from "./pass-parts.ts";
export { measureRewrite, type Rewrites, readRewrites } from "./rewrites.ts";
export { countKept, measureSecondLooks, type SecondLooks } from "./second-looks.ts";
export { countSetbacks } from "./setbacks.ts";
export {
	describeSession,
	isRecalledNote,
	OTHER_TEXT,
	otherTextIn,
	reportState,
	type StateReport,
} from "./state-report.ts";
export { findFullWindow } from "./turn-alerts.ts";
export { lastBreak, measureTurn, recallTurns, type TurnMetrics } from "./turns.ts";
