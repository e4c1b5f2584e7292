/** Small seeded generators: the same seed gives the same repository and the same tasks on any machine. */

import { seededRandom } from "#basics";

export type Random = ReturnType<typeof createRandom>;

/** Makes a generator from a seed, taken modulo 2^32. Picking from an empty list throws a RangeError. */
export function createRandom(seed: number) {
	const next = seededRandom(seed);
	/** A whole number from `low` to `high`, both included. */
	const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
	const pick = <T>(items: readonly T[]): T => {
		const item = items[between(0, items.length - 1)];
		if (item === undefined) throw new RangeError("cannot pick from an empty list");
		return item;
	};
	const shuffle = <T>(items: readonly T[]): readonly T[] =>
		items
			.map((item) => ({ item, rank: next() }))
			.sort((left, right) => left.rank - right.rank)
			.map(({ item }) => item);
	return { between, pick, shuffle } as const;
}
