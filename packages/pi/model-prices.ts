/** The prices of a model: pi's own table first, the list prices where pi has none, an old one, or 0. */
import {
	type CostTable,
	findListPrice,
	type ModelPrices,
	readPrices,
	type TokenPrices,
	withLongWrites,
} from "#core/prices";
import type { CacheRetention } from "./requests/cache-lifetime.ts";

/** A model of pi's table. Later versions of pi add price tiers to its `cost`. */
export interface PricedModel {
	readonly id: string;
	readonly cost: CostTable;
}

/** The model of an answer. */
export interface AnsweredBy {
	readonly provider: string;
	readonly model: string;
}

/** The prices of a model that answered, or of the one that answers next; undefined if they are unknown. */
export type PricesOf = (answer: AnsweredBy | undefined) => ModelPrices | undefined;

/**
 * Finds the prices of a model at a time in ms since the epoch, for a host with this cache retention, in US dollars per token;
 * undefined if they are unknown. The problem is one line about an impossible price; the prices are then the list's, or those left.
 */
export function findPrices(model: PricedModel, now: number, retention: CacheRetention = "short") {
	const { prices, problem } = mergePrices(model, now);
	return { prices: prices && retention === "long" ? withLongWrites(prices) : prices, problem };
}

function mergePrices({ id, cost }: PricedModel, now: number) {
	const listed = findListPrice(id, new Date(now).toISOString().slice(0, 10));
	const host = readPrices(cost);
	const list = listed && readPrices(listed);
	const problem = host.problem && `model ${id}: ${host.problem}`;
	if (list?.type !== "known") return { prices: host.type === "known" ? host.prices : undefined, problem };
	if (host.type === "unknown" || listed?.replaces) return { prices: list.prices, problem };
	// pi has no price of its own for long writes, and before price tiers it knew the price of a short request only.
	const missing = scale(list.prices, host.prices.input / list.prices.input);
	const tiers = host.prices.tiers.length > 0 ? host.prices.tiers : missing.tiers;
	return { prices: { ...host.prices, longWrite: missing.longWrite, tiers }, problem };
}

/** A gateway may charge another price than the maker: what it does not say is taken to differ by the same factor. */
function scale(prices: ModelPrices, factor: number): ModelPrices {
	const times = ({ input, output, read, write, longWrite }: TokenPrices): TokenPrices => ({
		input: input * factor,
		output: output * factor,
		read: read * factor,
		write: write * factor,
		longWrite: longWrite * factor,
	});
	const tiers = prices.tiers.map((tier) => ({ above: tier.above, ...times(tier) }));
	return { ...times(prices), tiers };
}
