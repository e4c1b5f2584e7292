/** Suggestions for mistyped names. */
import { editDistance } from "#core/graph";

/** More changed letters than this make another word, not a typo; short words allow fewer. */
const MAX_EDITS = 2;
const LETTERS_PER_EDIT = 3;

/** The allowed name that takes the fewest edits to type, or undefined when none is close enough. */
export function nearestName(typed: string, allowed: readonly string[]): string | undefined {
	const limit = Math.min(MAX_EDITS, Math.floor(typed.length / LETTERS_PER_EDIT));
	const byDistance = allowed
		.map((name) => ({ name, edits: countEdits(typed, name) }))
		.filter(({ edits }) => edits <= limit)
		.toSorted((a, b) => a.edits - b.edits);
	return byDistance[0]?.name;
}

/** ` Did you mean "replay"?`, or an empty string. */
export function suggestName(typed: string, allowed: readonly string[]): string {
	const nearest = nearestName(typed, allowed);
	return nearest === undefined ? "" : ` Did you mean ${JSON.stringify(nearest)}?`;
}

/** Letters to insert, delete or replace; letters in another order are one edit, since that is the most common typo. */
function countEdits(typed: string, name: string): number {
	const edits = editDistance(typed, name);
	return edits > 0 && sortLetters(typed) === sortLetters(name) ? 1 : edits;
}

function sortLetters(word: string): string {
	return [...word.toLowerCase()].toSorted().join("");
}
