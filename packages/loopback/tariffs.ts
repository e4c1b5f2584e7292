/** Prices of one token kind each, in US dollars per million tokens. */
export interface TokenPrices {
	/** Input that is neither read from the cache nor written to it. */
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	/** A cache write with the shorter lifetime: 5 minutes at Anthropic, 30 minutes at OpenAI. */
	readonly cacheWrite5m: number;
	/** A cache write with the longer lifetime: 1 hour at Anthropic, 12 hours at OpenAI. */
	readonly cacheWrite1h: number;
}

/** A price step: prompts of more than `above` tokens pay its prices for the whole request, output included. */
export interface TariffTier extends TokenPrices {
	readonly above: number;
}

/** The prices of one model. */
export interface ModelTariff extends TokenPrices {
	/** The model's id, without a date and with dots as hyphens for Claude: `claude-opus-5-5`. */
	readonly model: string;
	/** Ordered by `above`. */
	readonly tiers: readonly TariffTier[];
}

/** The tokens of one request that have a price. `input` excludes what was read and written. */
export interface BilledTokens {
	readonly input: number;
	readonly cacheRead: number;
	readonly cacheWrite5m: number;
	readonly cacheWrite1h: number;
	readonly output: number;
}

/** The cost of a request in US dollars. The highest step that the prompt exceeds prices all of its tokens. */
export function priceRequest(tariff: ModelTariff, tokens: BilledTokens): number {
	const prompt = tokens.input + tokens.cacheRead + tokens.cacheWrite5m + tokens.cacheWrite1h;
	const prices: TokenPrices = tariff.tiers.findLast(({ above }) => prompt > above) ?? tariff;
	const total =
		tokens.input * prices.input +
		tokens.cacheRead * prices.cacheRead +
		tokens.cacheWrite5m * prices.cacheWrite5m +
		tokens.cacheWrite1h * prices.cacheWrite1h +
		tokens.output * prices.output;
	return total / 1_000_000;
}

/** Anthropic bills writes at 1.25 (5 minutes) and 2 times the input price (1 hour). */
function claude(model: string, input: number, output: number, cacheRead: number): ModelTariff {
	const writes = { cacheWrite5m: input * 1.25, cacheWrite1h: input * 2 };
	return { model, input, output, cacheRead, ...writes, tiers: [] };
}

/** Above 272,000 tokens OpenAI bills input and cache at 2 times and output at 1.5 times the price. */
const LONG_PROMPT = 272_000;

function long({ input, output, cacheRead, cacheWrite5m, cacheWrite1h }: TokenPrices): TariffTier {
	return {
		above: LONG_PROMPT,
		input: input * 2,
		output: output * 1.5,
		cacheRead: cacheRead * 2,
		cacheWrite5m: cacheWrite5m * 2,
		cacheWrite1h: cacheWrite1h * 2,
	};
}

/** GPT-5.6 and later: writes at 1.25 (30 minutes) and 2.5 times the input price (12 hours). */
function gpt(model: string, input: number, output: number, cacheRead: number): ModelTariff {
	const prices = { input, output, cacheRead, cacheWrite5m: input * 1.25, cacheWrite1h: input * 2.5 };
	return { model, ...prices, tiers: [long(prices)] };
}

/** Up to GPT-5.5 a cache write costs what plain input costs. */
function oldGpt(
	model: string,
	input: number,
	output: number,
	cacheRead: number,
	hasLongTier: boolean,
): ModelTariff {
	const prices = { input, output, cacheRead, cacheWrite5m: input, cacheWrite1h: input };
	return { model, ...prices, tiers: hasLongTier ? [long(prices)] : [] };
}

/**
 * List prices as of 2026-11-22, standard tier, maker's own API. Sources: platform.claude.com pricing and
 * prompt-caching pages, developers.openai.com pricing and model pages, and the model table of pi-ai 1.5.2, which
 * agree where they overlap. Uncertain: GPT-6.2 Astra (a third party's figures), GPT-5.6 Sol (promotion until
 * 2026-11-21, price from then on unknown).
 */
export const TARIFFS: readonly ModelTariff[] = [
	claude("claude-fable-5-2", 8, 40, 0.2),
	claude("claude-fable-5-1", 10, 50, 0.25),
	claude("claude-fable-5", 10, 50, 1),
	claude("claude-opus-5-5", 4, 20, 0.2),
	claude("claude-opus-5", 5, 25, 0.5),
	claude("claude-opus-4-8", 5, 25, 0.5),
	claude("claude-opus-4-7", 5, 25, 0.5),
	claude("claude-opus-4-6", 5, 25, 0.5),
	claude("claude-opus-4-5", 5, 25, 0.5),
	claude("claude-sonnet-5-5", 2, 10, 0.1),
	claude("claude-sonnet-5", 2, 10, 0.2),
	claude("claude-sonnet-4-6", 3, 15, 0.3),
	claude("claude-sonnet-4-5", 3, 15, 0.3),
	{
		...claude("claude-haiku-5-5", 0.1, 0.5, 0.01),
		tiers: [
			{ above: 100_000, input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite5m: 0.625, cacheWrite1h: 1 },
		],
	},
	claude("claude-haiku-4-5", 1, 5, 0.1),
	gpt("gpt-6.2-astra", 8, 40, 0.4),
	gpt("gpt-6.2-sol", 2, 10, 0.1),
	gpt("gpt-6.1-sol", 2, 10, 0.1),
	gpt("gpt-6.1-terra", 1, 5, 0.05),
	gpt("gpt-6-astra", 10, 50, 1),
	gpt("gpt-6-sol", 2, 10, 0.2),
	gpt("gpt-6-luna", 0.1, 0.5, 0.01),
	gpt("gpt-5.6-sol", 4, 20, 0.4),
	gpt("gpt-5.6-terra", 2, 12, 0.2),
	gpt("gpt-5.6-luna", 0.2, 1.2, 0.02),
	oldGpt("gpt-5.5", 5, 30, 0.5, true),
	oldGpt("gpt-5.4", 2.5, 15, 0.25, true),
	oldGpt("gpt-5.4-mini", 0.75, 4.5, 0.075, true),
	oldGpt("gpt-5.4-nano", 0.2, 1.25, 0.02, true),
	oldGpt("gpt-5.3-codex", 1.75, 14, 0.175, false),
	oldGpt("gpt-5.2", 1.75, 14, 0.175, false),
	oldGpt("gpt-5.1", 1.25, 10, 0.125, false),
];

/** An id as the table spells it: without the provider in front, without a date, Claude versions with hyphens. */
function tableId(modelId: string): string {
	const id = modelId.slice(modelId.lastIndexOf("/") + 1).replace(/-\d{8}$/, "");
	return id.startsWith("claude-") ? id.replaceAll(".", "-") : id;
}

/** The prices of a model by its id; undefined when the table has none, which does not mean free. */
export function findTariff(
	modelId: string,
	tariffs: readonly ModelTariff[] = TARIFFS,
): ModelTariff | undefined {
	const id = tableId(modelId);
	return tariffs.find(({ model }) => model === id);
}
