/** The figures of a run, and of the runs of one condition over their seeds. */
import { type PriceList, percentile, priceCall } from "#lab";
import type { OverheadFigure, RequestFigure } from "./agent.ts";
import type { RunRecord } from "./run.ts";

/** Dollars by kind of provider; null if a real provider sent its own bill. */
export interface Cost {
	readonly anthropic: number | null;
	readonly openai: number | null;
}

/** The overhead of one tenth of a run. */
export interface Overhead {
	/** Tokens processed by its end. */
	readonly tokens: number;
	readonly ms: { readonly p50: number; readonly p99: number };
	/** Heap in use at its end, and the part of it that holds the session's text; 0 if unknown. */
	readonly heapMb: number;
	readonly historyMb: number;
}

/** One condition on one seed; sizes in tokens. */
export interface RunFigures {
	readonly seed: number;
	readonly tasks: number;
	readonly solved: number;
	readonly requests: number;
	/** Calls that pi made for summaries, which all other figures include. */
	readonly summaries: number;
	readonly tokensProcessed: number;
	readonly peakContext: number;
	/** Requests above the budget, without those for summaries. */
	readonly overBudget: number;
	readonly refused: number;
	/** Reads and searches of unchanged content that repeat an earlier one. */
	readonly reexplorations: number;
	/** Share of the tokens processed that Anthropic's cache served. */
	readonly cachedShare: number;
	readonly cost: Cost;
	/** The charge of a real provider, in dollars; null for the scripted model. */
	readonly paid: number | null;
	readonly wallSeconds: number;
	/** By tenths of the requests. */
	readonly overhead: readonly Overhead[];
	/** The ids of unsolved tasks. */
	readonly failed: readonly string[];
}

export interface Prices {
	readonly anthropic: PriceList;
	readonly openai: PriceList;
}

const SLICES = 10;
const MEGABYTE = 2 ** 20;

export function summariseRun(run: RunRecord, prices: Prices): RunFigures {
	const { condition, requests, overheads, results } = run;
	const failed = results.filter(({ isSolved }) => !isSolved).map(({ id }) => id);
	const own = requests.filter(({ isSummary }) => !isSummary);
	const tokensProcessed = total(requests, ({ tokens }) => tokens);
	const cached = total(requests, ({ cachedTokens }) => cachedTokens);
	const isPaid = run.paid !== undefined;
	return {
		seed: run.seed,
		tasks: run.tasks,
		solved: results.length - failed.length,
		requests: requests.length,
		summaries: requests.length - own.length,
		tokensProcessed,
		peakContext: own.reduce((peak, { tokens }) => Math.max(peak, tokens), 0),
		overBudget: own.filter(({ tokens }) => tokens > condition.budget).length,
		refused: requests.filter(({ isRefused }) => isRefused).length,
		reexplorations: run.reexplorations,
		cachedShare: tokensProcessed === 0 ? 0 : cached / tokensProcessed,
		cost: {
			anthropic: isPaid ? null : total(requests, (each) => price(each, each.cachedTokens, prices.anthropic)),
			openai: isPaid ? null : total(requests, (each) => price(each, each.prefixTokens, prices.openai)),
		},
		paid: run.paid ?? null,
		wallSeconds: run.seconds,
		overhead: sliceOverheads(own, overheads),
		failed,
	};
}

function price({ tokens, outputTokens }: RequestFigure, cached: number, list: PriceList): number {
	return priceCall({ input: tokens, cached, output: outputTokens }, list);
}

function total<T>(items: readonly T[], of: (item: T) => number): number {
	return items.reduce((sum, item) => sum + of(item), 0);
}

function sliceOverheads(
	requests: readonly RequestFigure[],
	overheads: readonly OverheadFigure[],
): readonly Overhead[] {
	const size = Math.ceil(overheads.length / SLICES);
	return Array.from({ length: Math.ceil(overheads.length / Math.max(1, size)) }, (_, index) => {
		const slice = overheads.slice(index * size, (index + 1) * size);
		const times = slice.map(({ ms }) => ms);
		const last = slice.at(-1);
		return {
			tokens: total(requests.slice(0, (index + 1) * size), ({ tokens }) => tokens),
			ms: { p50: percentile(times, 0.5) ?? 0, p99: percentile(times, 0.99) ?? 0 },
			heapMb: (last?.heap ?? 0) / MEGABYTE,
			historyMb: (last?.history ?? 0) / MEGABYTE,
		};
	});
}

/** A mean over seeds, and the standard deviation between them. */
export interface Spread {
	readonly mean: number;
	readonly deviation: number;
}

export function spreadOf(values: readonly number[]): Spread {
	const mean = total(values, (value) => value) / Math.max(1, values.length);
	const squares = total(values, (value) => (value - mean) ** 2);
	return { mean, deviation: values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : 0 };
}
