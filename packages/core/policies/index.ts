export { cwl } from "./cwl.ts";
export { createPaper, paper, paperAdapted } from "./paper.ts";
export { type Departure, departures } from "./paper-order.ts";
export { fifo, hybrid, lru, priority, type as typeBased } from "./seed-policies.ts";
export { semanticMerge } from "./semantic-merge.ts";
