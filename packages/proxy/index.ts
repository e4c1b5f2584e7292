/** A local HTTP proxy between any agent and its model provider, which watches the context or keeps it below a budget. */

export { startManagedProxy } from "./managed-proxy.ts";
export { type AnswerRecall, DELIMITER_ANSWER, RECALL_ANSWER, type RecallSource } from "./own-tools.ts";
export { defaultUpstreams, type Upstreams } from "./server/upstream.ts";
export { verdictOf } from "./status.ts";
export { MCP_SERVER, type TextReader } from "./wire/wire-format.ts";
