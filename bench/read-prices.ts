/** Models whose prices a table shows, with what a cache read costs on each. */
import { loadModelPrices } from "#lab";

export interface PricedName {
	readonly name: string;
	/** The price of a cache read as a share of that of fresh input. */
	readonly read: number;
}

/** @throws CwlError `unknown-model`, `no-price` */
export async function priceReads(names: readonly string[]): Promise<readonly PricedName[]> {
	const lists = await loadModelPrices(names);
	return lists.map(({ read, input }, index) => {
		return { name: names[index] ?? "", read: Number((read / input).toFixed(4)) };
	});
}
