/**
 * List prices as of 2026-11-22, in US dollars per million tokens: standard tier, the maker's own API. They stand in for
 * a host's table that lacks a model, has an old price, or has 0. Each row of `price-list.json` names its source.
 */
import rows from "./price-list.json" with { type: "json" };
import type { ModelPrices, PriceTier, TokenPrices } from "./prices.ts";

export interface ListPrice extends CostTable {
	/** The model's id, with hyphens in Claude's version. */
	readonly model: string;
	readonly source: string;
	/** The first day of the price, as an ISO date; if not set, it has always been this one. */
	readonly from?: string | undefined;
	/** True if hosts are known to have an older price. */
	readonly replaces?: boolean | undefined;
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

/** Rows of one model stand in the order of their dates. */
export const listPrices: readonly ListPrice[] = rows.map(({ longPrompts, ...price }) =>
	longPrompts ? { ...price, tiers: [longPrompt(price)] } : price,
);

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
	const lost = rows.length - tiers.length;
	const problem = `${lost} of ${rows.length} price tiers are impossible and are left out`;
	return {
		prices: { ...base, tiers: tiers.toSorted((a, b) => a.above - b.above) },
		problem: lost > 0 ? problem : undefined,
	};
}

function isPrice(value: number): boolean {
	return Number.isFinite(value) && value >= 0 && value <= MAX_PRICE;
}

function describe({ input, output, cacheRead, cacheWrite }: CostRow): string {
	return `input ${input}, output ${output}, cache read ${cacheRead}, cache write ${cacheWrite}`;
}
