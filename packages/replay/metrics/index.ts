export { alignRequest, baseId } from "./alignment.ts";
export { findNeeds } from "./needs.ts";
export { createPrefixMeter } from "./prefix.ts";
export { loadModel, type PriceList, priceCall, requestSeconds } from "./prices.ts";
export { createRuleCheck, type Violation } from "./rules.ts";
