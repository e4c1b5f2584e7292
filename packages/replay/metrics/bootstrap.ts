/** How much a figure depends on which sessions were replayed: a bootstrap that draws whole sessions (Efron 1979). */
import { seededRandom } from "#core";

export interface Interval {
	readonly low: number;
	readonly high: number;
}

/**
 * One row a session, one column a quantity; both sides of a comparison stand in one row, so that they are drawn
 * together. `statistic` takes the sums of the columns.
 */
export interface BootstrapInput {
	readonly rows: readonly (readonly number[])[];
	readonly statistic: (sums: readonly number[]) => number;
}

const SEED = 20_261_121;
const DRAWS = 1_000;
/** With more sessions fewer draws do: rows looked at in all. */
const MAX_ROWS = 2_000_000;
const TAIL = 0.025;

/** The middle 95 % of the draws; undefined with fewer than two sessions, which say nothing of others. */
export function bootstrap({ rows, statistic }: BootstrapInput): Interval | undefined {
	if (rows.length < 2) return undefined;
	const random = seededRandom(SEED);
	const draws = Math.max(100, Math.min(DRAWS, Math.floor(MAX_ROWS / rows.length)));
	const values: number[] = [];
	for (let draw = 0; draw < draws; draw++) {
		const value = statistic(drawSums(rows, random));
		// A draw may happen to hold no session that the figure is about.
		if (Number.isFinite(value)) values.push(value);
	}
	values.sort((a, b) => a - b);
	const low = values[Math.floor(TAIL * values.length)];
	const high = values[Math.ceil((1 - TAIL) * values.length) - 1];
	return low === undefined || high === undefined ? undefined : { low, high };
}

function drawSums(rows: readonly (readonly number[])[], random: () => number): readonly number[] {
	const sums = new Array<number>(rows[0]?.length ?? 0).fill(0);
	for (let i = 0; i < rows.length; i++) {
		const row = rows[Math.floor(random() * rows.length)] ?? [];
		for (let column = 0; column < sums.length; column++) {
			sums[column] = (sums[column] ?? 0) + (row[column] ?? 0);
		}
	}
	return sums;
}
