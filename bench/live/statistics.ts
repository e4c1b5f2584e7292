/** The registered tests: exact tests on pairs of trials, and intervals from draws of whole tasks. */

import { sum } from "#replay/recording";
import { createRandom } from "#testing/worker";

const DRAWS = 10_000;
/** Of a 95 % interval. */
const TAIL = 0.025;

/**
 * The chance, by a fair coin, of a split at least as uneven as this one: McNemar's exact test for tasks that only one of two
 * arms solved, and the sign test for tasks in which one of two arms was lower. 1 without any.
 */
export function signTest(one: number, other: number): number {
	const count = one + other;
	let chance = 0.5 ** count;
	let tail = 0;
	for (let hits = 0; hits <= Math.min(one, other); hits += 1) {
		tail += chance;
		chance *= (count - hits) / (hits + 1);
	}
	return Math.min(1, 2 * tail);
}

/** The 95 % interval of a figure over tasks: 2.5 and 97.5 % of its values in 10,000 draws of whole tasks, the same on each machine. */
export function drawInterval(
	tasks: number,
	figure: (drawn: readonly number[]) => number,
): readonly [number, number] {
	const random = createRandom(1);
	const values = Array.from({ length: DRAWS }, () =>
		figure(Array.from({ length: tasks }, () => random.between(0, tasks - 1))),
	).toSorted((a, b) => a - b);
	const at = (share: number) => values[Math.round(share * (DRAWS - 1))] ?? Number.NaN;
	return [at(TAIL), at(1 - TAIL)];
}

/** The mean of a figure over drawn tasks. */
export const meanOf = (drawn: readonly number[], values: readonly number[]): number =>
	sum(drawn.map((index) => values[index] ?? 0)) / Math.max(1, drawn.length);

/** How many pairs are lower on the one side, and on the other; ties count for neither. */
export function countLower(ones: readonly number[], others: readonly number[]): readonly [number, number] {
	const differences = ones.map((one, index) => one - (others[index] ?? one));
	return [differences.filter((each) => each < 0).length, differences.filter((each) => each > 0).length];
}
