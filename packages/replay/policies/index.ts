export { loadPolicies, parsePolicies } from "./registry.ts";
export type { ExtraCall, ReplayPolicy } from "./replay-policy.ts";
