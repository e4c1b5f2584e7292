/** The recipe of a kind of task: the searches, the changes, and the check that it is done. */
import type { Inquiry, Knowledge } from "../knowledge.ts";
import { type Action, changeFile, type LineChange } from "../toolbox.ts";

export interface Recipe extends Inquiry {
	/** Files that the prompt itself names. */
	readonly hints?: readonly string[];
	/** Short facts that the rest of the task needs, besides the places. */
	readonly findings?: (known: Knowledge) => readonly string[];
	/** True for a task without a survey before the change and a review after it. */
	readonly isPlain?: boolean;
	readonly plan: (known: Knowledge) => Plan;
}

/** The next step that the visible facts call for. */
export type Plan =
	/** The place is not known. */
	| { readonly type: "locate" }
	/** The place is known, but its content is not visible. */
	| { readonly type: "inspect"; readonly paths: readonly string[] }
	/** A command has to tell more. */
	| { readonly type: "consult"; readonly command: string }
	/** The session showed it once: a recall may give it back. */
	| { readonly type: "recall"; readonly query: string; readonly page: number }
	/** Nothing within reach tells it. */
	| { readonly type: "unknown"; readonly reason: string }
	| { readonly type: "change"; readonly actions: readonly Action[] }
	/** As far as is visible, everything is right. */
	| { readonly type: "settled" };

export interface EditSite {
	/** The path of the file, or a pattern for one of its lines. */
	readonly place: string | RegExp;
	/** The needed change: an empty list if the file is already right, undefined if the place is not in it. */
	readonly rewrite: (lines: readonly string[]) => readonly LineChange[] | undefined;
}

/** Locates all sites, reads the files that are not visible, then changes them together. */
export function planEdits(known: Knowledge, sites: readonly EditSite[]): Plan {
	const paths = sites.map((site) => findPlace(known, site.place));
	const located = paths.filter((path) => path !== undefined);
	if (located.length < sites.length) return { type: "locate" };
	const unseen = located.filter((path) => !known.views.has(path));
	if (unseen.length > 0) return { type: "inspect", paths: [...new Set(unseen)] };
	const actions = [...new Set(located)].flatMap((path) => {
		const text = known.views.get(path)?.text ?? "";
		const lines = text.split("\n");
		const changes = sites.flatMap((site, index) =>
			paths[index] === path ? (site.rewrite(lines) ?? []) : [],
		);
		return changes.length > 0 ? [changeFile(path, text, changes)] : [];
	});
	return actions.length > 0 ? { type: "change", actions } : { type: "settled" };
}

/** Prefers a search of this turn; without one, trusts only files seen in this turn. */
export function findPlace(known: Knowledge, place: string | RegExp): string | undefined {
	if (typeof place === "string") return place;
	const hit = known.hits.find(({ text }) => place.test(text));
	if (hit) return hit.path;
	return [...known.views].find(([, view]) => isOfThisTurn(known, view.message) && place.test(view.text))?.[0];
}

export const isOfThisTurn = (known: Knowledge, message: number): boolean => message > known.turn.message;

/** Replaces one line and keeps its indentation. */
export function replaceLine(lines: readonly string[], index: number, text: string): readonly LineChange[] {
	const line = lines[index];
	if (line === undefined || line.trim() === text) return [];
	return [{ start: index, end: index, lines: [indentOf(line) + text] }];
}

/**
 * Inserts lines between two others. The change covers both neighbors, so that it cannot be made twice: once they are
 * apart, the old text is no longer found.
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
