/** Seeded random values. */

/** Numbers from 0 up to 1. */
export type Random = () => number;

/** One of the values. */
export function pick<T>(random: Random, values: readonly [T, ...T[]]): T {
	return values[Math.floor(random() * values.length)] ?? values[0];
}

/** A whole number from 1 to `most` with this median; `spread` is the standard deviation of its logarithm. */
export function heavyTailed(random: Random, median: number, spread: number, most: number): number {
	const radius = Math.sqrt(-2 * Math.log(1 - random()));
	const normal = radius * Math.cos(2 * Math.PI * random());
	return Math.max(1, Math.min(most, Math.round(median * Math.exp(spread * normal))));
}
