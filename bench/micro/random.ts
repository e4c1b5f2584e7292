/** Chance that comes out the same for the same seed. */

/** Numbers from 0 up to 1 (mulberry32). */
export type Random = () => number;

export function createRandom(seed: number): Random {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

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
