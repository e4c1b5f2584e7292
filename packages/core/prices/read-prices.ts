/** Prices as hosts and data files write them, checked once. */
import type { ModelPrices, PriceTier, TokenPrices } from "./prices.ts";

/** As pi's model table writes them: US dollars per million tokens. A price of 0 is not known, rather than nothing. */
export interface CostTable extends CostRow {
	readonly tiers?: readonly (CostRow & { readonly inputTokensAbove: number })[] | undefined;
	/** Writing for an hour; twice the price of input where it is left out. */
	readonly cacheWrite1h?: number | undefined;
}

interface CostRow {
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly cacheWrite: number;
}

export type ReadPrices =
	| { readonly type: "known"; readonly prices: ModelPrices; readonly problem: string | undefined }
	/** The table has no price, or one that cannot be. */
	| { readonly type: "unknown"; readonly problem: string | undefined };

const PER_TOKEN = 1e-6;
/** No model has ever cost more; in US dollars per million tokens. */
const MAX_PRICE = 10_000;

/**
 * The prices of a table. Cache reads without a price cost as much as input: nothing is gained by assuming a cache that
 * may not exist. Tiers are put in order; those that cannot be are left out, with one line that says so.
 */
export function readPrices(table: CostTable): ReadPrices {
	const base = readRow(table);
	if (!base) {
		const isEmpty = [table.input, table.output, table.cacheRead, table.cacheWrite].every((price) => !price);
		const problem = `prices cannot be ${describe(table)}: they must lie between 0 and ${MAX_PRICE} dollars per million tokens`;
		return { type: "unknown", problem: isEmpty ? undefined : problem };
	}
	const { tiers, problem } = readTiers(table.tiers ?? []);
	const known = table.cacheWrite1h;
	const longWrite = known !== undefined && isPrice(known) && known > 0 ? known * PER_TOKEN : 2 * base.input;
	return { type: "known", prices: { ...base, longWrite, tiers }, problem };
}

function readRow({ input, output, cacheRead, cacheWrite }: CostRow): TokenPrices | undefined {
	if (![input, output, cacheRead, cacheWrite].every(isPrice) || input === 0) return undefined;
	return {
		input: input * PER_TOKEN,
		output: output * PER_TOKEN,
		read: Math.min(cacheRead || input, input) * PER_TOKEN,
		write: (cacheWrite || input) * PER_TOKEN,
	};
}

function readTiers(rows: NonNullable<CostTable["tiers"]>): {
	readonly tiers: readonly PriceTier[];
	readonly problem: string | undefined;
} {
	const tiers = rows.flatMap((row): PriceTier[] => {
		const prices = readRow(row);
		const above = row.inputTokensAbove;
		return prices && Number.isFinite(above) && above > 0 ? [{ above, ...prices }] : [];
	});
	const ordered = tiers.toSorted((a, b) => a.above - b.above);
	const lost = rows.length - tiers.length;
	const isMixed = tiers.some((tier, index) => tier !== ordered[index]);
	const problems = [
		...(lost > 0 ? [`${lost} of ${rows.length} price tiers cannot be and are left out`] : []),
		...(isMixed ? ["price tiers are out of order and were sorted"] : []),
	];
	return { tiers: ordered, problem: problems.length > 0 ? problems.join("; ") : undefined };
}

function isPrice(value: number): boolean {
	return Number.isFinite(value) && value >= 0 && value <= MAX_PRICE;
}

function describe({ input, output, cacheRead, cacheWrite }: CostRow): string {
	return `input ${input}, output ${output}, cache read ${cacheRead}, cache write ${cacheWrite}`;
}
