/** The models whose list prices apply to the traffic of a scripted model. */
import { loadModel, type PriceList } from "#replay/metrics";

export type Prices = Readonly<Record<"anthropic" | "openai", PriceList>>;

export const PRICED = ["anthropic/claude-sonnet-4-6", "openai/gpt-5.4"] as const;

/** `first`: the model in place of the first of these. @throws CwlError `no-price` */
export async function loadPrices(first: string = PRICED[0]): Promise<Prices> {
	const { prices: anthropic } = await loadModel(first);
	const { prices: openai } = await loadModel(PRICED[1]);
	return { anthropic, openai };
}
