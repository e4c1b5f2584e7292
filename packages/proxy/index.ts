/** A local HTTP proxy between any agent and its model provider, which watches the context or keeps it below a budget. */

export { type ManagedProxyOptions, type ManagedStart, startManagedProxy } from "./managed-proxy.ts";
export { verdictOf } from "./observe/health-page.ts";
export type { AnswerRecall, RecallSource } from "./own-tools/answers.ts";
export { DELIMITER_ANSWER, MCP_SERVER, RECALL_ANSWER } from "./own-tools/tool-names.ts";
export { defaultUpstreams, type Upstreams } from "./server/route.ts";
export type { TextReader } from "./wire/wire-format.ts";
