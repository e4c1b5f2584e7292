/** Tasks that change lines at places one can name: find the files, see them, rewrite the lines. */

import type { Knowledge } from "./knowledge.ts";
import type { Plan } from "./recipe.ts";
import { changeFile, type LineChange } from "./text-change.ts";

export interface Spot {
	/** The path, or what a line of the file must match. */
	readonly place: string | RegExp;
	/** The change that is needed: none when the file is as it should be, undefined when the place is not in it. */
	readonly rewrite: (lines: readonly string[]) => readonly LineChange[] | undefined;
}

/** Locate all spots, inspect what cannot be seen of them, then change them together. */
export function planSpots(known: Knowledge, spots: readonly Spot[]): Plan {
	const paths = spots.map((spot) => findPlace(known, spot.place));
	const located = paths.filter((path) => path !== undefined);
	if (located.length < spots.length) return { type: "locate" };
	const unseen = located.filter((path) => !known.views.has(path));
	if (unseen.length > 0) return { type: "inspect", paths: [...new Set(unseen)] };
	const actions = [...new Set(located)].flatMap((path) => {
		const text = known.views.get(path)?.text ?? "";
		const lines = text.split("\n");
		const changes = spots.flatMap((spot, index) =>
			paths[index] === path ? (spot.rewrite(lines) ?? []) : [],
		);
		return changes.length > 0 ? [changeFile(path, text, changes)] : [];
	});
	return actions.length > 0 ? { type: "change", actions } : { type: "settled" };
}

/** A search of this turn tells best; without one, only what was seen in this turn is believed. */
export function findPlace(known: Knowledge, place: string | RegExp): string | undefined {
	if (typeof place === "string") return place;
	const hit = known.hits.find(({ text }) => place.test(text));
	if (hit) return hit.path;
	return [...known.views].find(([, view]) => isOfThisTurn(known, view.message) && place.test(view.text))?.[0];
}

export const isOfThisTurn = (known: Knowledge, message: number): boolean => message > known.turn.message;

/** Replace one line, keeping its indentation. */
export function replaceLine(lines: readonly string[], index: number, text: string): readonly LineChange[] {
	const line = lines[index];
	if (line === undefined || line.trim() === text) return [];
	return [{ start: index, end: index, lines: [indentOf(line) + text] }];
}

/**
 * Put lines between two others. The change covers both neighbours, so that it cannot be made twice:
 * once they are apart, the old text is no longer found.
 */
export function insertBetween(
	lines: readonly string[],
	index: number,
	added: readonly string[],
): readonly LineChange[] {
	const before = lines[index] ?? "";
	const after = lines[index + 1] ?? "";
	return [{ start: index, end: index + 1, lines: [before, ...added, after] }];
}

export const indentOf = (line: string): string => /^\s*/.exec(line)?.[0] ?? "";
