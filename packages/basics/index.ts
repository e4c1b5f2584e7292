/** The few functions that every package needs. It depends on nothing and is exported to nobody outside of this repository. */
export * from "./cut-points.ts";
export { CwlError } from "./cwl-error.ts";
export { type CountTokens, countOf, formatTokens, percent } from "./figures.ts";
export { FNV1A_START, fnv1a, fnv1aStep } from "./fnv1a.ts";
export { append, type Growing } from "./growing.ts";
export * from "./quote.ts";
export { seededRandom } from "./seeded-random.ts";
export { sum } from "./sum.ts";
export * from "./unknown-json.ts";
