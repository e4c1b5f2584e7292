export { ANY_TOOL, noOutputLimits, type OutputLimits, type OutputRule } from "./output-limits.ts";
