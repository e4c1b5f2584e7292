/** Prices for a request that names its model. */
import { findListPrice, type ModelPrices, readPrices } from "#core/prices";
import type { RequestOptions, WireFormat } from "../wire/wire-format.ts";

/**
 * The list prices of the model that a request names, in US dollars per token. For a model that the list does not have,
 * the usual prices of its API in multiples of plain input. `now` in ms since 1970.
 */
export function pricesFor({ model }: RequestOptions, { prices }: WireFormat, now: number): ModelPrices {
	const day = new Date(now).toISOString().slice(0, 10);
	const listed = typeof model === "string" ? findListPrice(model, day) : undefined;
	const known = listed && readPrices(listed);
	if (known?.type === "known") return known.prices;
	const { read, write } = prices;
	return { read, write, longWrite: 2 * write, input: 1, output: 5, tiers: [] };
}
