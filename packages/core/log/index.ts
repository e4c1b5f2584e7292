export { createNamer } from "./episode-names.ts";
export * from "./pass.ts";
export { readLog, recountLines } from "./read-log.ts";
export type { Regret } from "./regret.ts";
export { createNetSizes, markerTokens, type View, viewAfter, viewOfLog } from "./view.ts";
export { removedBy } from "./whole-calls.ts";
