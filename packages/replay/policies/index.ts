export { enginePolicy } from "./engine.ts";
export { loadPolicies, parsePolicies } from "./registry.ts";
export type { PolicyRequest, ReplayPolicy } from "./replay-policy.ts";
