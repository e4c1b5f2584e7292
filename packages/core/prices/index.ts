export { type PassPrice, type PricedPass, pricePass } from "./pass-price.ts";
export { findListPrice, type ListPrice, listPrices } from "./price-list.ts";
export { type ModelPrices, requestCost, type TokenPrices, withLongWrites } from "./prices.ts";
export { type CostTable, type ReadPrices, readPrices } from "./read-prices.ts";
