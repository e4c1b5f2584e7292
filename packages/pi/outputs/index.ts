export { ANY_TOOL, noOutputLimits, type OutputLimits } from "./output-limits.ts";
