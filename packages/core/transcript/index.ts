export { findingsIn } from "./findings.ts";
export { type LabelledLine, splitLabelled } from "./labelled-lines.ts";
export * from "./names.ts";
export * from "./tool-table.ts";
export * from "./transcript.ts";
