export type { Alert, AlertInput } from "./alert.ts";
export { countDroppedThinking, findAlerts, noDroppedThinking } from "./alerts.ts";
export { type Fidelity, measureFidelity } from "./fidelity.ts";
export * from "./health-report.ts";
export { describePass, type NextPass, planNextPasses, reportNextPasses } from "./next-passes.ts";
export { measureSecondLooks } from "./second-looks.ts";
export { describeSession, reportState, type StateReport } from "./state-report.ts";
export { findFullWindow } from "./turn-alerts.ts";
export { measureTurn, recallTurns, type TurnMetrics } from "./turns.ts";
