/**
 * Requests to model providers under management: Messages, Responses and Chat Completions, read into core's transcript and
 * written back byte for byte. `withLifecycle` wraps a `fetch`; `cwl proxy` puts the same engine behind a server.
 */

export { DELIMITER_ANSWER, RECALL_ANSWER } from "./answer-own-tools.ts";
export { createEngine, type Engine, type EngineOptions } from "./engine.ts";
export { findEndpoint } from "./formats/formats.ts";
export { MCP_SERVER } from "./formats/wire-format.ts";
export { loadHost } from "./host.ts";
export {
	type LifecycleFetch,
	type LifecycleOptions,
	type LifecycleTool,
	withLifecycle,
} from "./lifecycle.ts";
export { formatHealth, verdictOf } from "./status.ts";
export { createUsageReader } from "./usage.ts";
