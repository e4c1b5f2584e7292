export type { CostArm } from "./costs.ts";
export { makeReport } from "./make-report.ts";
