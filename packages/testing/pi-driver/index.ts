export { LIST_PRICES, LOOPBACK_PROVIDER, writeAgentDirectory } from "./agent-directory.ts";
export { type PiEvent, type PiProcess, type PiProcessOptions, startPiProcess } from "./pi-process.ts";
