/** Suggestions for mistyped names. */

/** More changed letters than this are another word, not a typo; short words allow fewer. */
const MAX_EDITS = 2;
const LETTERS_PER_EDIT = 3;

/** The allowed name that takes the fewest edits to type, or undefined when none is close enough. */
export function nearestName(typed: string, allowed: readonly string[]): string | undefined {
	const limit = Math.min(MAX_EDITS, Math.floor(typed.length / LETTERS_PER_EDIT));
	const byDistance = allowed
		.map((name) => ({ name, edits: countEdits(typed.toLowerCase(), name.toLowerCase()) }))
		.filter(({ edits }) => edits <= limit)
		.toSorted((a, b) => a.edits - b.edits);
	return byDistance[0]?.name;
}

/** ` Did you mean "replay"?`, or nothing. */
export function suggestName(typed: string, allowed: readonly string[]): string {
	const nearest = nearestName(typed, allowed);
	return nearest === undefined ? "" : ` Did you mean ${JSON.stringify(nearest)}?`;
}

/** Letters to insert, delete, replace or swap with their neighbor (optimal string alignment). */
function countEdits(from: string, to: string): number {
	let beforeLast: readonly number[] = [];
	let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
	for (let i = 1; i <= from.length; i++) {
		const row = [i];
		for (let j = 1; j <= to.length; j++) {
			const isSame = from[i - 1] === to[j - 1];
			const isSwapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
			row.push(
				Math.min(
					(last[j] ?? 0) + 1,
					(row[j - 1] ?? 0) + 1,
					(last[j - 1] ?? 0) + (isSame ? 0 : 1),
					isSwapped ? (beforeLast[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
				),
			);
		}
		beforeLast = last;
		last = row;
	}
	return last[to.length] ?? 0;
}
