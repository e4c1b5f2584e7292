/** The next step of a task: which real calls to make, in which kind of episode. */

import type { EpisodeType } from "./episodes.ts";
import type { Knowledge } from "./knowledge.ts";
import type { Recipe } from "./recipe.ts";
import { type Action, quote } from "./toolbox.ts";

export type Decision =
	| {
			readonly type: "work";
			readonly stage: "search" | "read" | "survey" | "change" | "review" | "check";
			readonly actions: readonly Action[];
	  }
	| { readonly type: "finished" }
	| { readonly type: "stuck"; readonly reason: string };

/** Files read at once while exploring, the ones that are needed and those that give the surroundings. */
const FILES_AT_ONCE = 4;

/** The last step at which it is worth looking around before the first change. */
const LAST_SURVEY_STEP = 3;
const SURVEY_HEAD = "git log --oneline -5 -- ";
const EXPLORING: readonly string[] = ["search", "read", "survey"];

export const episodeTypeOf = (stage: string): EpisodeType => (EXPLORING.includes(stage) ? "expl" : "act");

export function decide(known: Knowledge, recipe: Recipe): Decision {
	if (known.passed) return { type: "finished" };
	const searches = recipe.searches.filter(
		(pattern) => !known.searches.some((search) => search.pattern === pattern),
	);
	if (searches.length > 0 && knowsNothingOfTurn(known)) return search(known, recipe, searches);
	const plan = recipe.plan(known);
	switch (plan.type) {
		case "locate":
			if (searches.length === 0)
				return { type: "stuck", reason: `nothing in the files matches ${recipe.subject}` };
			return search(known, recipe, searches);
		case "inspect":
			return work("read", readAll([...plan.paths, ...surroundings(known, plan.paths)]));
		case "change":
			return survey(known, plan.actions) ?? work("change", plan.actions);
		case "settled":
			return review(known, recipe);
	}
}

const work = (
	stage: Extract<Decision, { readonly type: "work" }>["stage"],
	actions: readonly Action[],
): Decision => ({ type: "work", stage, actions });

const readAll = (paths: readonly string[]): readonly Action[] =>
	paths.map((path) => ({ type: "read", path }));

/** Content of earlier turns may be out of date: nothing is changed before this turn has looked for itself. */
function knowsNothingOfTurn({ turn, searches, views, changed }: Knowledge): boolean {
	if (searches.length > 0 || changed.size > 0) return false;
	return ![...views.values()].some((view) => view.message > turn.message);
}

/** The files that the prompt names, or that a description remembers, are read along with the search. */
function search(known: Knowledge, recipe: Recipe, patterns: readonly string[]): Decision {
	const paths = [...new Set([...recipe.hints, ...known.remembered])].filter((path) => !known.views.has(path));
	const searches = patterns.map((pattern): Action => ({ type: "search", pattern }));
	return work("search", [...searches, ...readAll(paths.slice(0, FILES_AT_ONCE))]);
}

/** Other files that the search found: who uses the thing, and what the documentation says. */
function surroundings(known: Knowledge, needed: readonly string[]): readonly string[] {
	const others = known.hits
		.map(({ path }) => path)
		.filter((path) => !known.views.has(path) && !needed.includes(path));
	return [...new Set(others)].slice(0, Math.max(0, FILES_AT_ONCE - needed.length));
}

/** Before the first change: the history of the files, and what they import. Bound to early steps, so that it ends. */
function survey(
	{ turn, exchanges, views, changed }: Knowledge,
	changes: readonly Action[],
): Decision | undefined {
	if (turn.step > LAST_SURVEY_STEP || changed.size > 0) return undefined;
	const done = exchanges.some(({ call, message }) => {
		return message > turn.message && String(call.arguments.command).startsWith(SURVEY_HEAD);
	});
	if (done) return undefined;
	const paths = changes.flatMap((action) => ("path" in action ? [action.path] : []));
	const imports = paths.flatMap((path) => listImports(path, views.get(path)?.text ?? ""));
	const unseen = [...new Set(imports)].filter((path) => !views.has(path)).slice(0, FILES_AT_ONCE);
	return work("survey", [
		{ type: "run", command: `${SURVEY_HEAD}${paths.map(quote).join(" ")}` },
		...readAll(unseen),
	]);
}

/** The files that a source file imports by a relative path. */
function listImports(path: string, text: string): readonly string[] {
	const names = [...text.matchAll(/\bfrom "(\.[^"]*\.\w+)"/g)].map((match) => match[1] ?? "");
	return names.map((name) => new URL(name, `file:///${path}`).pathname.slice(1));
}

/** Look at what the edits left behind, then let the check have the last word. */
function review(known: Knowledge, recipe: Recipe): Decision {
	const unread = [...known.changed.keys()].filter((path) => known.views.get(path)?.changed ?? true);
	if (unread.length > 0) {
		const diff: Action = { type: "run", command: `git diff -U1 -- ${unread.map(quote).join(" ")}` };
		return work("review", [...readAll(unread), diff]);
	}
	return work("check", [{ type: "run", command: recipe.check.command }]);
}
