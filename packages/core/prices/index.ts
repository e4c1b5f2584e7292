export { type CostTable, findListPrice, listPrices, readPrices } from "./price-list.ts";
export {
	type ModelPrices,
	pricesAt,
	requestCost,
	type TokenPrices,
	withLongWrites,
} from "./prices.ts";
