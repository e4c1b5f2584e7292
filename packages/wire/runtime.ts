/** All that the wrapper needs once there is a request. */
export { createEngine } from "./engine.ts";
export { findEndpoint } from "./formats/formats.ts";
export { automaticBudget, loadHost, ownTools } from "./host.ts";
export { verdictOf } from "./status.ts";
export { createUsageReader } from "./usage.ts";
