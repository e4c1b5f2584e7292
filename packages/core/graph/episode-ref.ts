/** Episodes as a person names them. */
import { unquote } from "#basics";
import type { Episode } from "./graph.ts";

export type EpisodeLookup =
	| { readonly type: "found"; readonly episode: Episode }
	/** `closest`: names that the person may have meant, the likeliest first. */
	| { readonly type: "unknown"; readonly closest: readonly string[] };

/** More suggestions than this are a listing. */
const MAX_SUGGESTIONS = 3;

/**
 * The episode of that name or id; quotes around it, its case, and what comes after its beginning may be left out as
 * long as one episode fits.
 */
export function findEpisode(episodes: readonly Episode[], reference: string): EpisodeLookup {
	const wanted = unquote(reference);
	const exact = episodes.find(({ name, id }) => name === wanted || id === wanted);
	if (exact) return { type: "found", episode: exact };
	const begins = episodes.filter(({ name }) => name.toLowerCase().startsWith(wanted.toLowerCase()));
	const [only] = begins;
	if (only && begins.length === 1 && wanted !== "") return { type: "found", episode: only };
	const likely = begins.length > 0 ? begins : episodes;
	return { type: "unknown", closest: closestNames(likely, wanted) };
}

function closestNames(episodes: readonly Episode[], wanted: string): readonly string[] {
	const distances = episodes.map(({ name }) => ({ name, distance: editDistance(name, wanted) }));
	return distances
		.toSorted((a, b) => a.distance - b.distance)
		.slice(0, MAX_SUGGESTIONS)
		.map(({ name }) => name);
}

/** Names are as long as a model likes; what comes after this many characters tells no two apart. */
const COMPARED = 64;

/** Levenshtein distance of the beginnings, case left out. */
export function editDistance(a: string, b: string): number {
	const right = beginningOf(b);
	let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
	for (const [row, character] of beginningOf(a).entries()) {
		const next = [row + 1];
		for (const [column, other] of right.entries()) {
			const change = (previous[column] ?? 0) + (character === other ? 0 : 1);
			next.push(Math.min(change, (previous[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
		}
		previous = next;
	}
	return previous.at(-1) ?? 0;
}

function beginningOf(text: string): readonly string[] {
	return [...text.slice(0, COMPARED).toLowerCase()];
}
