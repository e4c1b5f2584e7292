/** A local HTTP proxy between any agent and its model provider, which watches the context or keeps it below a budget. */

export { startManagedProxy } from "./managed-proxy.ts";
export { defaultUpstreams, type Upstreams } from "./server/upstream.ts";
