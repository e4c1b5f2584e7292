/** The recipe of a kind of task: the searches, the changes, and the check that it is done. */

import type { Goal } from "../goals.ts";
import type { Inquiry, Knowledge, Past } from "../knowledge.ts";
import type { Assignment, Of } from "../phrasing.ts";
import { type Action, changeFile, type LineChange, quote } from "../toolbox.ts";

export interface Recipe extends Inquiry {
	/** Files that the prompt itself names. */
	readonly hints?: readonly string[];
	/** Short facts that the rest of the task needs, besides the places. */
	readonly findings?: (known: Knowledge) => readonly string[];
	/** True for a task without a survey before the change and a review after it. */
	readonly isPlain?: boolean;
	readonly plan: (known: Knowledge) => Plan;
}

/** The recipe for each kind of assignment. */
export type Recipes = {
	readonly [K in Assignment["type"]]: (assignment: Of<K>, past: Past) => Recipe;
};

/** The next step that the visible facts call for. */
export type Plan =
	/** The place is not known. */
	| { readonly type: "locate" }
	/** The place is known, but its content is not visible. */
	| { readonly type: "inspect"; readonly paths: readonly string[] }
	/** A command has to show more, or a recall of what the session showed once. */
	| { readonly type: "consult"; readonly action: Action }
	/** Nothing within reach tells it. */
	| { readonly type: "unknown"; readonly reason: string }
	| { readonly type: "change"; readonly actions: readonly Action[] }
	/** As far as is visible, everything is right. */
	| { readonly type: "settled" };

export interface EditSite {
	/** The path of the file, or a pattern for one of its lines. */
	readonly place: string | RegExp;
	readonly goal: Goal;
}

/** A recipe of one edit, which is done when it would change nothing in what the command prints. */
export const recipeForEdit = ({
	place,
	goal,
	command,
	...recipe
}: EditSite & Omit<Inquiry, "check"> & Pick<Recipe, "hints"> & { readonly command: string }): Recipe => ({
	...recipe,
	check: { command, passes: (output) => goal(output) === output },
	plan: (known) => planEdits(known, { place, goal }),
});

/** Locates all sites, each in a file of its own, reads the files that are not visible, then changes them together. */
export function planEdits(known: Knowledge, ...sites: readonly EditSite[]): Plan {
	const located = sites.flatMap(({ place, goal }) => {
		const path = findPlace(known, place);
		return path === undefined ? [] : [{ path, goal }];
	});
	if (located.length < sites.length) return { type: "locate" };
	const unseen = located.map(({ path }) => path).filter((path) => !known.views.has(path));
	if (unseen.length > 0) return { type: "inspect", paths: [...new Set(unseen)] };
	const actions = located.flatMap(({ path, goal }) => {
		const text = known.views.get(path)?.text ?? "";
		// Nothing changes where the file is already right, or not one that the goal fits.
		const changes = changesBetween(text.split("\n"), (goal(text) ?? text).split("\n"));
		return changes.length > 0 ? [changeFile(path, text, changes)] : [];
	});
	return actions.length > 0 ? { type: "change", actions } : { type: "settled" };
}

/**
 * The lines in which two texts differ. An insertion covers both neighbors, so that it cannot be made twice: once they are
 * apart, the old text is no longer found.
 */
function changesBetween(before: readonly string[], after: readonly string[]): readonly LineChange[] {
	if (before.length === after.length) {
		return after.flatMap((line, at) => (line === before[at] ? [] : [{ start: at, end: at, lines: [line] }]));
	}
	const same = before.findIndex((line, at) => line !== after[at]);
	const fromEnd = before.toReversed().findIndex((line, at) => line !== after.at(-1 - at));
	const tail = fromEnd === -1 ? before.length : fromEnd;
	const start = Math.max(0, Math.min(same === -1 ? before.length : same, before.length - tail) - 1);
	const end = Math.min(before.length - 1, before.length - tail);
	return [{ start, end, lines: after.slice(start, after.length - (before.length - 1 - end)) }];
}

/** Prefers a search of this turn; without one, trusts only files seen in this turn. */
export function findPlace(known: Knowledge, place: string | RegExp): string | undefined {
	if (typeof place === "string") return place;
	const hit = known.hits.find(({ text }) => place.test(text));
	if (hit) return hit.path;
	return [...known.views].find(([, view]) => isOfThisTurn(known, view.message) && place.test(view.text))?.[0];
}

export const isOfThisTurn = (known: Knowledge, message: number): boolean => message > known.start;

/** The command of a check that looks for a pattern in all files. */
export const searchLines = (pattern: string, options = ""): string =>
	`git grep -h --untracked ${options}-e ${quote(pattern)} || true`;

/** A recipe that only looks for what the task needs: nothing is changed or checked before it is found. */
export const lookFirst = (
	subject: string,
	plan: Recipe["plan"],
	searches: readonly string[] = [],
): Recipe => ({
	subject,
	searches,
	plan,
	check: { command: "git status --short", passes: () => false },
});
