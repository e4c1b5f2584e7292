export { findListPrice, listPrices } from "./price-list.ts";
export {
	type ModelPrices,
	type PassPrice,
	pricePass,
	requestCost,
	type TokenPrices,
	withLongWrites,
} from "./prices.ts";
export { type CostTable, readPrices } from "./read-prices.ts";
