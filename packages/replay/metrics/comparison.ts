/**
 * Compares two policies on the same sessions. The uncertainty from the choice of sessions comes from a bootstrap that
 * draws whole sessions (Efron 1979).
 */
import { seededRandom } from "#core";
import { type Grounding, type GroundingKind, mapKinds } from "./grounding.ts";
import type { Cost } from "./traffic.ts";

/** The part of one session that a comparison uses: the requests under pressure. */
export interface ComparedSession {
	readonly cost: Cost;
	readonly grounding: Grounding;
}

export interface Comparison {
	/** Cost as a share of the other policy's; null where that cost nothing. */
	readonly cost: Readonly<Record<keyof Cost, Estimate | null>>;
	/** Share of needs kept, less the other policy's; null without needs. */
	readonly grounding: Readonly<Record<GroundingKind, Estimate | null>>;
}

/** A figure with its 95 % interval; null bounds where sessions are too few to tell. */
export interface Estimate {
	readonly value: number;
	readonly low: number | null;
	readonly high: number | null;
}

/** Compare session by session; both lists hold the same sessions in the same order. */
export function compare(
	sessions: readonly ComparedSession[],
	others: readonly ComparedSession[],
): Comparison {
	const costs = (provider: keyof Cost) =>
		estimate(
			sessions.map(({ cost }, i) => [cost[provider], others[i]?.cost[provider] ?? 0]),
			([own = 0, other = 0]) => own / other,
		);
	return {
		cost: { anthropic: costs("anthropic"), openai: costs("openai") },
		grounding: mapKinds((kind) =>
			estimate(
				sessions.map(({ grounding: { [kind]: own } }, i) => {
					return [own.kept - (others[i]?.grounding[kind].kept ?? own.kept), own.needed];
				}),
				([more = 0, needed = 0]) => more / needed,
			),
		),
	};
}

/** One row a session, one column a quantity; both sides of a comparison are in one row, so that they are drawn together. */
type Rows = readonly (readonly number[])[];
/** Takes the sums of the columns. */
type Statistic = (sums: readonly number[]) => number;

function estimate(rows: Rows, statistic: Statistic): Estimate | null {
	const value = statistic(sumColumns(rows));
	if (!Number.isFinite(value)) return null;
	const interval = bootstrap(rows, statistic);
	return { value, low: interval?.low ?? null, high: interval?.high ?? null };
}

const SEED = 20_261_121;
const DRAWS = 1_000;
/** With more sessions fewer draws do: rows that are read in all. */
const MAX_ROWS = 2_000_000;
const TAIL = 0.025;

/** The middle 95 % of the draws; undefined with fewer than two sessions, which say nothing of others. */
export function bootstrap(
	rows: Rows,
	statistic: Statistic,
): { readonly low: number; readonly high: number } | undefined {
	if (rows.length < 2) return undefined;
	const random = seededRandom(SEED);
	const draws = Math.max(100, Math.min(DRAWS, Math.floor(MAX_ROWS / rows.length)));
	const values: number[] = [];
	for (let draw = 0; draw < draws; draw++) {
		const drawn = rows.map(() => rows[Math.floor(random() * rows.length)] ?? []);
		const value = statistic(sumColumns(drawn));
		// A draw may happen to hold no session that the figure is about.
		if (Number.isFinite(value)) values.push(value);
	}
	values.sort((a, b) => a - b);
	const low = values[Math.floor(TAIL * values.length)];
	const high = values[Math.ceil((1 - TAIL) * values.length) - 1];
	return low === undefined || high === undefined ? undefined : { low, high };
}

function sumColumns(rows: Rows): readonly number[] {
	const sums = new Array<number>(rows[0]?.length ?? 0).fill(0);
	for (const row of rows) {
		for (let column = 0; column < sums.length; column++) {
			sums[column] = (sums[column] ?? 0) + (row[column] ?? 0);
		}
	}
	return sums;
}
