export { type Health, measureHealth, measureVitals, type Vitals, type WholeSession } from "./health.ts";
export { createLoopBreaker } from "./loop-breaker.ts";
export { type Marks, measureMarks, type Nudge, nudgeFor } from "./marks.ts";
export * from "./pressure.ts";
