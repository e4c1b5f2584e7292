export { loadPolicies, parsePolicies } from "./registry.ts";
export type { ReplayPolicy } from "./replay-policy.ts";
