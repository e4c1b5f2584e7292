export { cwl } from "./cwl.ts";
export { paper, paperAdapted } from "./paper.ts";
export { fifo, hybrid, lru, priority, semanticMerge, type as typeBased } from "./seed-policies.ts";
