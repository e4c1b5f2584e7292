export { cwl } from "./cwl.ts";
export { paper, paperAdapted } from "./paper.ts";
export { fifo, hybrid, lru, priority, type as typeBased } from "./seed-policies.ts";
export { semanticMerge } from "./semantic-merge.ts";
