export { findStaleThinking, sealAnswer } from "./stale.ts";
