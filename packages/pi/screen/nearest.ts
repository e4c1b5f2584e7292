/** Suggestions for mistyped names. */
import { editDistance } from "#core/graph";

/** More letters inserted, deleted or replaced than this make another word, not a typo; short words allow fewer. */
const MAX_EDITS = 2;
const LETTERS_PER_EDIT = 2;

/** The allowed name that takes the fewest edits to type, or undefined when none is close enough. */
export function nearestName(typed: string, allowed: readonly string[]): string | undefined {
	const limit = Math.min(MAX_EDITS, Math.floor(typed.length / LETTERS_PER_EDIT));
	const byDistance = allowed
		.map((name) => ({ name, edits: editDistance(typed, name) }))
		.filter(({ edits }) => edits <= limit)
		.toSorted((a, b) => a.edits - b.edits);
	return byDistance[0]?.name;
}

/** ` Did you mean "replay"?`, or an empty string. */
export function suggestName(typed: string, allowed: readonly string[]): string {
	const nearest = nearestName(typed, allowed);
	return nearest === undefined ? "" : ` Did you mean ${JSON.stringify(nearest)}?`;
}
