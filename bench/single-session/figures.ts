/** The figures of a run, and of the runs of one condition over their seeds. */
import { type PriceList, priceCall, requestSeconds } from "#replay";
import type { RequestFigure } from "./agent.ts";
import type { Repair } from "./exploration.ts";
import type { RunRecord } from "./run.ts";

/** Dollars by kind of provider; null if a real provider sent its own bill. */
export interface Cost {
	readonly anthropic: number | null;
	readonly openai: number | null;
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
	/** The calls that fetched content back; runs of before 2026-11-23 lack it. */
	readonly repair?: Repair;
	/** Share of the tokens processed that Anthropic's cache served. */
	readonly cachedShare: number;
	readonly cost: Cost;
	/** The charge of a real provider, in dollars; null for the scripted model. */
	readonly paid: number | null;
	readonly wallSeconds: number;
	/** The time that a model would have taken over the requests (`requestSeconds`); runs of before 2026-11-22 lack it. */
	readonly modeledSeconds?: number;
	/** The ids of unsolved tasks. */
	readonly failed: readonly string[];
}

export interface Prices {
	readonly anthropic: PriceList;
	readonly openai: PriceList;
}

export function summariseRun(run: RunRecord, prices: Prices): RunFigures {
	const { condition, requests, results } = run;
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
		repair: run.repair,
		cachedShare: tokensProcessed === 0 ? 0 : cached / tokensProcessed,
		cost: {
			anthropic: isPaid ? null : total(requests, (each) => price(each, each.cachedTokens, prices.anthropic)),
			openai: isPaid ? null : total(requests, (each) => price(each, each.prefixTokens, prices.openai)),
		},
		paid: run.paid ?? null,
		wallSeconds: run.seconds,
		modeledSeconds: total(requests, ({ tokens, cachedTokens, outputTokens }) =>
			requestSeconds({ input: tokens, cached: cachedTokens, output: outputTokens }),
		),
		failed,
	};
}

function price({ tokens, outputTokens }: RequestFigure, cached: number, list: PriceList): number {
	return priceCall({ input: tokens, cached, output: outputTokens }, list);
}

function total<T>(items: readonly T[], of: (item: T) => number): number {
	return items.reduce((sum, item) => sum + of(item), 0);
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
