/** Models by name: their prices in dollars, from pi-ai's model table and the list prices, and what else a replay asks. */
import type { Api, Model } from "@mariozechner/pi-ai";
import { findListPrice, listPrices } from "#core/prices";
import { bindsThinking, CwlError, closestOf, findPrices, type PricedModel } from "#pi";
import { breakpointHits, type PriceList, prefixHits } from "./prices.ts";

/** `provider/id`, the provider's name up to the first slash. */
type ModelName = string;

/** A model whose behavior a replay can assume. */
export interface ModelProfile {
	readonly name: ModelName;
	readonly prices: PriceList;
	/** True if it rejects thinking behind a changed prefix. A model that nobody knows counts as checking. */
	readonly checksThinking: boolean;
	/** Tokens; undefined if unknown. */
	readonly contextWindow: number | undefined;
}

type TableModel = Pick<Model<Api>, "provider" | "id" | "api" | "cost"> & { readonly contextWindow?: number };

/**
 * The price list of each model, in dollars per token. The rule of the cache follows from the model's API.
 * @throws CwlError `unknown-model` naming near ones, `no-price` if nobody knows its price
 */
export async function loadModelPrices(names: readonly ModelName[]): Promise<readonly PriceList[]> {
	return (await loadModels(names)).map(({ prices }) => prices);
}

/** @throws CwlError `unknown-model` naming near ones, `no-price` if nobody knows its price */
export async function loadModels(names: readonly ModelName[]): Promise<readonly ModelProfile[]> {
	if (names.length === 0) return [];
	const table = await importTable();
	return names.map((name) => {
		const model = table.find(({ provider, id }) => `${provider}/${id}` === name) ?? findListed(name);
		if (!model) throw unknownModel(name, table);
		return {
			name,
			prices: toPriceList(name, model),
			checksThinking: bindsThinking(model),
			contextWindow: model.contextWindow,
		};
	});
}

/** Empty without pi-ai: the list prices are enough for the models in them. */
async function importTable(): Promise<readonly TableModel[]> {
	try {
		const { getModels, getProviders } = await import("@mariozechner/pi-ai");
		return getProviders().flatMap((provider): readonly TableModel[] => getModels(provider));
	} catch {
		return [];
	}
}

/** A model that is newer than pi's table, at its list price. */
function findListed(name: ModelName): TableModel | undefined {
	const provider = name.slice(0, Math.max(0, name.indexOf("/")));
	const id = name.slice(provider.length + 1);
	if (provider === "" || !findListPrice(id, today())) return undefined;
	const api = /claude/.test(id) ? "anthropic-messages" : "openai-responses";
	return { provider, id, api, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } };
}

function today(): string {
	return new Date().toISOString().slice(0, 10);
}

/** Models of a provider that an error names. */
const SHOWN = 8;

function unknownModel(name: ModelName, table: readonly TableModel[]): CwlError {
	const provider = name.slice(0, Math.max(0, name.indexOf("/")));
	const listed = listPrices.map(({ model }) => `${provider}/${model}`);
	const own = table.filter((model) => model.provider === provider).map(({ id }) => `${provider}/${id}`);
	const providers = [...new Set(table.map((model) => model.provider))];
	const known = own.length > 0 ? own.slice(-SHOWN) : providers.map((each) => `${each}/...`);
	const guess = closestOf(name, [...own, ...(provider === "" ? [] : listed)]);
	const hint = guess === undefined ? "" : ` Did you mean ${guess}?`;
	return new CwlError(
		"unknown-model",
		`model is ${JSON.stringify(name)}: use provider/id from pi's model table, such as ${known.join(", ")}.${hint}`,
	);
}

/** @throws CwlError `no-price`: a price of 0 is unknown, so nothing can be said in dollars */
export function toPriceList(name: ModelName, model: PricedModel & { readonly api: Api }): PriceList {
	const { prices, problem } = findPrices(model, Date.now());
	if (prices) return { ...prices, hits: hitsOf(model.api) };
	const reason = problem ?? `model ${JSON.stringify(name)} has no price in pi's table, nor a list price`;
	throw new CwlError("no-price", `${reason}; name another one.`);
}

function hitsOf(api: Api): PriceList["hits"] {
	const isAnthropic = api === "anthropic-messages" || api === "bedrock-converse-stream";
	return isAnthropic ? breakpointHits : prefixHits;
}
