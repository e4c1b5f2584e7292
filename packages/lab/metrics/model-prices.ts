/** Prices in dollars, from pi-ai's model table. */
import type { Api, Model } from "@mariozechner/pi-ai";
import { CwlError } from "#pi";
import { breakpointHits, type PriceList, prefixHits } from "./prices.ts";

/** `provider/id`, the provider's name up to the first slash. */
type ModelName = string;

const PER_MILLION = 1e-6;

/**
 * The price list of each model, in dollars a token. The rule of the cache goes by the model's API.
 * @throws CwlError `unknown-model` naming near ones, `no-price` when the table has none, `no-pi` without pi-ai
 */
export async function loadModelPrices(names: readonly ModelName[]): Promise<readonly PriceList[]> {
	if (names.length === 0) return [];
	const { getModels, getProviders } = await importTable();
	const all = getProviders().flatMap((provider): readonly Model<Api>[] => getModels(provider));
	return names.map((name) => {
		const model = all.find(({ provider, id }) => `${provider}/${id}` === name);
		if (!model) throw unknownModel(name, all);
		return listPrices(name, model);
	});
}

/** Models of a provider that an error names. */
const SHOWN = 8;

async function importTable() {
	try {
		return await import("@mariozechner/pi-ai");
	} catch {
		throw new CwlError(
			"no-pi",
			"prices come from pi-ai, which is not installed: npm install @mariozechner/pi-coding-agent.",
		);
	}
}

function unknownModel(name: ModelName, all: readonly Model<Api>[]): CwlError {
	const provider = name.slice(0, Math.max(0, name.indexOf("/")));
	const own = all.filter((model) => model.provider === provider).map(({ id }) => `${provider}/${id}`);
	const providers = [...new Set(all.map((model) => model.provider))];
	const known = own.length > 0 ? own.slice(-SHOWN) : providers.map((each) => `${each}/...`);
	return new CwlError(
		"unknown-model",
		`model is ${JSON.stringify(name)}: use provider/id from pi's model table, such as ${known.join(", ")}.`,
	);
}

/** A cache price of 0 in the table means that the provider sells no cached tokens, not that they are free. */
export function listPrices(name: ModelName, { cost, api }: Pick<Model<Api>, "cost" | "api">): PriceList {
	if (!(cost.input > 0)) {
		throw new CwlError(
			"no-price",
			`model ${JSON.stringify(name)} has no price in pi's table; name another one.`,
		);
	}
	const isAnthropic = api === "anthropic-messages" || api === "bedrock-converse-stream";
	return {
		read: (cost.cacheRead || cost.input) * PER_MILLION,
		fresh: (cost.cacheWrite || cost.input) * PER_MILLION,
		output: cost.output * PER_MILLION,
		hits: isAnthropic ? breakpointHits : prefixHits,
	};
}
