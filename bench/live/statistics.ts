/** Intervals and the power of what a run can afford: paired shares by Newcombe's score method, cost ratios by draws of whole blocks. */
import { sum } from "#basics";
import { drawSessions, type Interval, intervalOf } from "#replay/report";

/** Of the normal distribution, for 95 % and for 80 %. */
const Z = 1.959964;

/** Wilson's score interval of a share. */
function wilson(hits: number, count: number): Interval {
	const share = hits / count;
	const middle = share + Z ** 2 / (2 * count);
	const half = Z * Math.sqrt((share * (1 - share)) / count + Z ** 2 / (4 * count ** 2));
	return [(middle - half) / (1 + Z ** 2 / count), (middle + half) / (1 + Z ** 2 / count)];
}

/**
 * The 95 % interval of the difference of two paired shares, one minus the other (Newcombe 1998, method 10). It has a width where all
 * pairs agree, too.
 */
export function pairedInterval(ones: readonly boolean[], others: readonly boolean[]): Interval {
	const count = ones.length;
	const pairs = (one: boolean, other: boolean) =>
		ones.filter((each, index) => each === one && others[index] === other).length;
	const both = pairs(true, true);
	const first = pairs(true, false);
	const second = pairs(false, true);
	const neither = pairs(false, false);
	const p1 = (both + first) / count;
	const p2 = (both + second) / count;
	const [l1, u1] = wilson(both + first, count);
	const [l2, u2] = wilson(both + second, count);
	const product = (both + first) * (second + neither) * (both + second) * (first + neither);
	const cross = both * neither - first * second;
	const corrected = cross > 0 ? Math.max(cross - count / 2, 0) : cross;
	const phi = product === 0 ? 0 : corrected / Math.sqrt(product);
	const reach = (a: number, b: number) => Math.sqrt(Math.max(0, a ** 2 - 2 * phi * a * b + b ** 2));
	const difference = p1 - p2;
	return [difference - reach(p1 - l1, u2 - p2), difference + reach(u1 - p1, p2 - l2)];
}

/** Tasks in a row that are drawn together: costs of one session depend on what came before. */
export const BLOCK = 4;
const DRAWS = 10_000;

/** The 95 % interval of the ratio of two sums over the same tasks, from draws of whole blocks; a single block says nothing. */
export function ratioInterval(ones: readonly number[], others: readonly number[]): Interval {
	const starts = Array.from({ length: Math.ceil(ones.length / BLOCK) }, (_, index) => BLOCK * index);
	const draws = drawSessions(starts.map(String), DRAWS);
	const sumOf = (values: readonly number[]) => (block: number) =>
		sum(values.slice(BLOCK * block, BLOCK * (block + 1)));
	return intervalOf(draws, (add) => add(sumOf(ones)) / add(sumOf(others))) ?? [0, Number.POSITIVE_INFINITY];
}

/** The chance that a standard normal value is below this one (Abramowitz and Stegun 26.2.17). */
function normal(z: number): number {
	if (z < 0) return 1 - normal(-z);
	const t = 1 / (1 + 0.2316419 * z);
	const tail =
		t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
	return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * tail;
}

/** The chance that so many tasks show a difference of solved shares, where the arms disagree on a share of the tasks; two-sided, 5 %. */
export function powerOfShares(tasks: number, difference: number, disagreement: number): number {
	const spread = Math.sqrt(disagreement - difference ** 2);
	return normal((difference * Math.sqrt(tasks) - Z * Math.sqrt(disagreement)) / spread);
}

/** The chance that so many blocks show a cost ratio, where its logarithm varies by `spread` between blocks; two-sided, 5 %. */
export function powerOfRatio(blocks: number, ratio: number, spread: number): number {
	return normal(Math.abs(Math.log(ratio)) / (spread / Math.sqrt(blocks)) - Z);
}
