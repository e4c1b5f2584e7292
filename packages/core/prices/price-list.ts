/**
 * List prices as of 2026-11-22, in US dollars per million tokens: standard tier, the maker's own API. They stand in for
 * a host's table that lacks a model, has an old price, or has 0. Each row names its source.
 */
import type { ModelPrices, PriceTier, TokenPrices } from "./prices.ts";

export interface ListPrice extends CostTable {
	/** The model's id, with hyphens in Claude's version. */
	readonly model: string;
	readonly source: string;
	/** The first day of the price, as an ISO date; if not set, it has always been this one. */
	readonly from?: string;
	/** True if hosts are known to have an older price. */
	readonly replaces?: true;
}

const ANTHROPIC = "platform.claude.com, pricing and prompt caching";
const OPENAI = "developers.openai.com, pricing and model pages";
const PI = "model table of pi-ai 1.5.2";

/** Anthropic writes at 1.25 (5 minutes) and 2 times the price of input (1 hour). */
function claude(
	model: string,
	input: number,
	output: number,
	cacheRead: number,
	source = ANTHROPIC,
): ListPrice {
	return { model, input, output, cacheRead, cacheWrite: 1.25 * input, cacheWrite1h: 2 * input, source };
}

/** GPT-5.6 and later write at 1.25 (30 minutes) and 2.5 times the price of input (12 hours). */
function gpt(model: string, input: number, output: number, cacheRead: number, source = OPENAI): ListPrice {
	const cost = { input, output, cacheRead, cacheWrite: 1.25 * input, cacheWrite1h: 2.5 * input };
	return { model, ...cost, tiers: [longPrompt(cost)], source };
}

/** Above 272,000 input tokens OpenAI bills input and cache at 2 times and output at 1.5 times the price. */
function longPrompt({ input, output, cacheRead, cacheWrite, cacheWrite1h = 0 }: CostTable) {
	return {
		inputTokensAbove: 272_000,
		input: 2 * input,
		output: 1.5 * output,
		cacheRead: 2 * cacheRead,
		cacheWrite: 2 * cacheWrite,
		cacheWrite1h: 2 * cacheWrite1h,
	};
}

function withLongPrompts(price: ListPrice): ListPrice {
	return { ...price, tiers: [longPrompt(price)] };
}

/** Caching is automatic, and writing to the cache costs what input costs: GPT up to 5.5, and most other makers. */
function automatic(model: string, input: number, output: number, cacheRead: number, source = PI): ListPrice {
	return { model, input, output, cacheRead, cacheWrite: input, cacheWrite1h: input, source };
}

/** Rows of one model stand in the order of their dates. */
export const listPrices: readonly ListPrice[] = [
	claude("claude-fable-5-2", 8, 40, 0.2, "docs.apiyi.com, 2026-11-09"),
	claude("claude-fable-5-1", 10, 50, 0.25),
	claude("claude-fable-5", 10, 50, 1),
	claude("claude-opus-5-5", 4, 20, 0.2),
	claude("claude-opus-5", 5, 25, 0.5),
	claude("claude-opus-4-8", 5, 25, 0.5),
	claude("claude-opus-4-7", 5, 25, 0.5),
	claude("claude-opus-4-6", 5, 25, 0.5),
	claude("claude-opus-4-5", 5, 25, 0.5),
	claude("claude-sonnet-5-5", 2, 10, 0.1, "claudit v1.9.2, 2026-10-07"),
	claude("claude-sonnet-5", 2, 10, 0.2),
	claude("claude-sonnet-4-6", 3, 15, 0.3),
	claude("claude-sonnet-4-5", 3, 15, 0.3),
	{
		...claude("claude-haiku-5-5", 0.1, 0.5, 0.01, "claudit v1.9.2, 2026-10-24"),
		tiers: [{ inputTokensAbove: 100_000, ...claude("", 0.5, 2.5, 0.05) }],
	},
	claude("claude-haiku-4-5", 1, 5, 0.1),
	gpt("gpt-6.2-astra", 8, 40, 0.4, "BerriAI/litellm discussion 52347, uncertain"),
	gpt("gpt-6.2-sol", 2, 10, 0.1),
	gpt("gpt-6.1-sol", 2, 10, 0.1, "docs.laozhang.ai, 2026-10-13"),
	gpt("gpt-6.1-terra", 1, 5, 0.05, "apidog.com, 2026-10-26"),
	gpt("gpt-6-astra", 10, 50, 1, "BerriAI/litellm discussion 39633"),
	gpt("gpt-6-sol", 2, 10, 0.2, "merefield/codexometer v0.18.4"),
	gpt("gpt-6-luna", 0.1, 0.5, 0.01, "merefield/codexometer v0.18.4"),
	gpt("gpt-5.6-sol", 4, 20, 0.4, `${OPENAI}; a promotion until 2026-11-21, uncertain since`),
	gpt("gpt-5.6-terra", 2, 12, 0.2, "PromptFuel v1.0.19, 2026-07-30"),
	gpt("gpt-5.6-luna", 0.2, 1.2, 0.02, "PromptFuel v1.0.19, 2026-07-30"),
	withLongPrompts(automatic("gpt-5.5", 5, 30, 0.5, "aicostnest.com, 2026-05-28")),
	withLongPrompts(automatic("gpt-5.4", 2.5, 15, 0.25)),
	withLongPrompts(automatic("gpt-5.4-mini", 0.75, 4.5, 0.075)),
	withLongPrompts(automatic("gpt-5.4-nano", 0.2, 1.25, 0.02)),
	automatic("gpt-5.3-codex", 1.75, 14, 0.175),
	automatic("gpt-5.2", 1.75, 14, 0.175),
	automatic("gpt-5.1", 1.25, 10, 0.125),
	automatic("gemini-4-argon", 2, 10, 0.1, "BerriAI/litellm discussion 46238"),
	{
		...automatic("gemini-4-argon", 4, 20, 0.2, "BerriAI/litellm discussion 46238"),
		from: "2026-12-01",
		replaces: true,
	},
	{ ...automatic("deepseek-v4-pro", 1.32, 3.96, 0.044, "api-docs.deepseek.com, 2026-10"), replaces: true },
	{ ...automatic("deepseek-v4-flash", 0.3, 1.2, 0.006, "api-docs.deepseek.com, 2026-10"), replaces: true },
	automatic("glm-5.3", 1.4, 4.4, 0.26),
	automatic("glm-5.2", 1.4, 4.4, 0.26),
	automatic("kimi-k3", 3, 15, 0.3),
	{ ...automatic("minimax-m2.7", 0.3, 1.2, 0.06), cacheWrite: 0.375, cacheWrite1h: 0.375 },
];

/**
 * The list price of a model on a day such as 2026-12-01; undefined if the list has none, which does not mean free. A
 * provider in front of the id and a date behind it do not matter.
 */
export function findListPrice(modelId: string, day: string): ListPrice | undefined {
	const id = listId(modelId);
	return listPrices.findLast(({ model, from = "" }) => model === id && from <= day);
}

/** The id as the list spells it. */
function listId(modelId: string): string {
	const id = modelId
		.slice(modelId.lastIndexOf("/") + 1)
		.toLowerCase()
		.replace(/-\d{8}(-v\d.*)?$/, "");
	return id.includes("claude-") ? id.slice(id.indexOf("claude-")).replaceAll(".", "-") : id;
}

interface CostRow {
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly cacheWrite: number;
	/** Writing for the longer time; twice the price of input if not set. */
	readonly cacheWrite1h?: number | undefined;
}

/** A row of pi's model table, in US dollars per million tokens. A price of 0 is unknown; it does not mean free. */
export interface CostTable extends CostRow {
	/** Each holds for a whole request with more input tokens than this. */
	readonly tiers?: readonly (CostRow & { readonly inputTokensAbove: number })[] | undefined;
}

export type ReadPrices =
	/** Prices in US dollars per token. `problem` is one line about a part of the table that is left out. */
	| { readonly type: "known"; readonly prices: ModelPrices; readonly problem: string | undefined }
	/** The table has no price, or an impossible one, which `problem` names. */
	| { readonly type: "unknown"; readonly problem: string | undefined };

const PER_TOKEN = 1e-6;
/** No model has ever cost more; in US dollars per million tokens. */
const MAX_PRICE = 10_000;

/**
 * Reads the prices of a table. Cache reads without a price cost as much as input, so that nothing is built on a cache
 * that may not exist. Tiers are put in order; impossible ones are left out, and `problem` says so.
 */
export function readPrices(table: CostTable): ReadPrices {
	const base = readRow(table);
	if (base) return { type: "known", ...withTiers(base, table.tiers ?? []) };
	const isEmpty = [table.input, table.output, table.cacheRead, table.cacheWrite].every((price) => !price);
	const problem = `prices are ${describe(table)}: each must be between 0 and ${MAX_PRICE} dollars per million tokens`;
	return { type: "unknown", problem: isEmpty ? undefined : problem };
}

function readRow({ input, output, cacheRead, cacheWrite, cacheWrite1h }: CostRow): TokenPrices | undefined {
	if (![input, output, cacheRead, cacheWrite].every(isPrice) || input === 0) return undefined;
	const isLongKnown = cacheWrite1h !== undefined && isPrice(cacheWrite1h) && cacheWrite1h > 0;
	return {
		input: input * PER_TOKEN,
		output: output * PER_TOKEN,
		read: Math.min(cacheRead || input, input) * PER_TOKEN,
		write: (cacheWrite || input) * PER_TOKEN,
		longWrite: (isLongKnown ? cacheWrite1h : 2 * input) * PER_TOKEN,
	};
}

function withTiers(
	base: TokenPrices,
	rows: NonNullable<CostTable["tiers"]>,
): { readonly prices: ModelPrices; readonly problem: string | undefined } {
	const tiers = rows.flatMap((row): PriceTier[] => {
		const prices = readRow(row);
		const above = row.inputTokensAbove;
		return prices && Number.isFinite(above) && above > 0 ? [{ above, ...prices }] : [];
	});
	const ordered = tiers.toSorted((a, b) => a.above - b.above);
	const lost = rows.length - tiers.length;
	const isUnordered = tiers.some((tier, index) => tier !== ordered[index]);
	const problems = [
		...(lost > 0 ? [`${lost} of ${rows.length} price tiers are impossible and are left out`] : []),
		...(isUnordered ? ["price tiers are out of order and were sorted"] : []),
	];
	return {
		prices: { ...base, tiers: ordered },
		problem: problems.length > 0 ? problems.join("; ") : undefined,
	};
}

function isPrice(value: number): boolean {
	return Number.isFinite(value) && value >= 0 && value <= MAX_PRICE;
}

function describe({ input, output, cacheRead, cacheWrite }: CostRow): string {
	return `input ${input}, output ${output}, cache read ${cacheRead}, cache write ${cacheWrite}`;
}
