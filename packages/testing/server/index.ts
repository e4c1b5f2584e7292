export type { Fault, RequestRecord } from "./exchange.ts";
export { type Loopback, startLoopback } from "./server.ts";
export { createThreads } from "./threads.ts";
