/**
 * The cost and duration of a replayed request under the two kinds of prompt caching: at a model's prices, or at
 * usual ones in units of one uncached input token.
 */
import type * as pi from "@mariozechner/pi-ai";
import type { Api, Model } from "@mariozechner/pi-ai";
import { SMALLEST_CACHED } from "#core/ledger";
import { findListPrice, listPrices, type ModelPrices, requestCost } from "#core/prices";
import { type AnsweredBy, CwlError, findPrices, type PricedModel } from "#pi";
import { bindsThinking } from "#pi/requests";
import { suggestName } from "#pi/screen";
import type { ExtraCall } from "../policies/replay-policy.ts";

/** Prices, and the provider's rule of what it serves from its cache. */
export interface PriceList extends ModelPrices {
	/** The input tokens of a request that the provider serves from its cache. */
	readonly hits: (request: RequestSize) => number;
}

/** The prices of a model that answered; of the last one where it is not known. In dollars per token. */
export type PriceListOf = (answer: AnsweredBy | undefined) => PriceList;

export interface RequestSize {
	/** All input tokens, prompt and tools included. */
	readonly tokens: number;
	/** Input tokens that the previous request began with too. */
	readonly sharedTokens: number;
	/** Of the shared tokens, those up to the last place where an earlier request ended; all of them when left out. */
	readonly endedTokens?: number;
	readonly outputTokens: number;
}

/** OpenAI serves longer prefixes in steps of so many tokens. */
const OPENAI_STEP = 128;

/** OpenAI's rule, which other providers with automatic caching follow closely enough (prompt-caching guide). */
function prefixHits({ sharedTokens: shared }: RequestSize): number {
	return shared < SMALLEST_CACHED ? 0 : shared - (shared % OPENAI_STEP);
}

/**
 * Anthropic's rule with a breakpoint at the end of each request and of the prompt: an entry ends where an earlier
 * request ended, so that of a broken prefix only the part up to such an end is read (prompt-caching guide).
 */
function breakpointHits({ endedTokens, sharedTokens }: RequestSize): number {
	const hits = endedTokens ?? sharedTokens;
	return hits < SMALLEST_CACHED ? 0 : hits;
}

/** Prices in units of one uncached input token, with a cache read at a tenth. */
function relative({ write, output }: Pick<ModelPrices, "write" | "output">): ModelPrices {
	return { input: 1, output, read: 0.1, write, longWrite: 2, tiers: [] };
}

export const priceLists = {
	/** Breakpoints are taken to stand where they serve best: the whole shared prefix is read. */
	anthropic: { ...relative({ write: 1.25, output: 5 }), hits: ({ sharedTokens }) => sharedTokens },
	openai: { ...relative({ write: 1, output: 6 }), hits: prefixHits },
} as const satisfies Readonly<Record<string, PriceList>>;

/** The cost of one request, in the unit of the prices. */
export function priceRequest(request: RequestSize, prices: PriceList): number {
	const cached = prices.hits(request);
	return priceCall({ input: request.tokens, cached, output: request.outputTokens }, prices);
}

/** The cost of one call whose cached part is known: input that the cache does not serve is written to it. */
export function priceCall({ input, cached, output }: ExtraCall, prices: PriceList): number {
	return requestCost(prices, { fresh: 0, cached, written: input - cached, output });
}

/** Seconds, and tokens a second. */
const BASE = 0.5;
const FRESH = 9_000;
const CACHED = 50_000;
const OUTPUT = 60;

/**
 * A model of the time that one request takes, in seconds, since a replay waits for no provider. Input follows the times to
 * the first token that Anthropic published with prompt caching (claude.com/blog/prompt-caching, 2024): 1.6 s for 10,000
 * tokens and 11.5 s for 100,000 without the cache, 2.4 s for 100,000 from it. The speed of output is an assumption; it
 * hardly matters, because policies differ in what they send. Tools, queues and people are left out.
 */
export function requestSeconds({ input, cached, output }: ExtraCall): number {
	return BASE + (input - cached) / FRESH + cached / CACHED + output / OUTPUT;
}

/** A model whose behavior a replay can assume. */
export type ModelProfile = Awaited<ReturnType<typeof loadModel>>;

type TableModel = Pick<Model<Api>, "provider" | "id" | "api" | "cost"> & { readonly contextWindow?: number };

/**
 * A model by its name, from pi-ai's model table and the list prices, in dollars per token. The rule of the cache follows
 * from the model's API.
 * @throws CwlError `unknown-model` naming near ones, `no-price` if nobody knows its price
 */
export async function loadModel(name: string) {
	const table = await importTable();
	const model = table.find(({ provider, id }) => `${provider}/${id}` === name) ?? findListed(name);
	if (!model) throw unknownModel(name, table);
	return {
		prices: toPriceList(name, model),
		/** True if it rejects thinking behind a changed prefix. A model that nobody knows counts as checking. */
		checksThinking: bindsThinking(model),
		/** Tokens; undefined if unknown. */
		contextWindow: model.contextWindow,
	};
}

/** The library of pi that holds its table of models, by its newer and its older name. */
const PI_AI = ["@earendil-works/pi-ai/compat", "@mariozechner/pi-ai"];

/** Empty without pi-ai: the list prices are enough for the models in them. */
async function importTable(): Promise<readonly TableModel[]> {
	for (const name of PI_AI) {
		try {
			const { getModels, getProviders }: typeof pi = await import(name);
			return getProviders().flatMap((provider): readonly TableModel[] => getModels(provider));
		} catch {
			// Not installed, or a version that has no such table.
		}
	}
	return [];
}

function providerOf(name: string): string {
	return name.slice(0, Math.max(0, name.indexOf("/")));
}

/** A model that is newer than pi's table, at its list price. */
function findListed(name: string): TableModel | undefined {
	const provider = providerOf(name);
	const id = name.slice(provider.length + 1);
	const today = new Date().toISOString().slice(0, 10);
	if (provider === "" || !findListPrice(id, today)) return undefined;
	const api = /claude/.test(id) ? "anthropic-messages" : "openai-responses";
	return { provider, id, api, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } };
}

/** Models of a provider that an error names. */
const SHOWN = 8;

function unknownModel(name: string, table: readonly TableModel[]): CwlError {
	const provider = providerOf(name);
	const listed = listPrices.map(({ model }) => `${provider}/${model}`);
	const own = table.filter((model) => model.provider === provider).map(({ id }) => `${provider}/${id}`);
	const providers = [...new Set(table.map((model) => model.provider))];
	const known = own.length > 0 ? own.slice(-SHOWN) : providers.map((each) => `${each}/...`);
	const hint = suggestName(name, [...own, ...(provider === "" ? [] : listed)]);
	return new CwlError(
		"unknown-model",
		`model is ${JSON.stringify(name)}: use provider/id from pi's model table, such as ${known.join(", ")}.${hint}`,
	);
}

/** @throws CwlError `no-price`: a price of 0 is unknown, so nothing can be said in dollars */
export function toPriceList(name: string, model: PricedModel & { readonly api: Api }): PriceList {
	const { prices, problem } = findPrices(model, Date.now());
	const isAnthropic = model.api === "anthropic-messages" || model.api === "bedrock-converse-stream";
	if (prices) return { ...prices, hits: isAnthropic ? breakpointHits : prefixHits };
	const reason = problem ?? `model ${JSON.stringify(name)} has no price in pi's table, nor a list price`;
	throw new CwlError("no-price", `${reason}; name another one.`);
}
