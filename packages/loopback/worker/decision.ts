/** Decides the next step of a task: the real calls, and the type of their episode. */

import type { EpisodeType } from "./episodes.ts";
import type { Knowledge } from "./knowledge.ts";
import type { Recipe } from "./recipe.ts";
import { nextReview } from "./review.ts";
import type { Style } from "./style.ts";
import { nextSurvey } from "./survey.ts";
import type { Action } from "./toolbox.ts";

export type Decision =
	| {
			readonly type: "work";
			readonly stage: "search" | "read" | "survey" | "change" | "review" | "check";
			readonly actions: readonly Action[];
	  }
	| { readonly type: "finished" }
	| { readonly type: "stuck"; readonly reason: string };

const EXPLORING: readonly string[] = ["search", "read", "survey"];

export const episodeTypeOf = (stage: string): EpisodeType => (EXPLORING.includes(stage) ? "expl" : "act");

export function decide(known: Knowledge, recipe: Recipe, style: Style): Decision {
	if (known.passed) return { type: "finished" };
	const searches = recipe.searches.filter(
		(pattern) => !known.searches.some((search) => search.pattern === pattern),
	);
	if (searches.length > 0 && knowsNothingOfTurn(known)) return search(known, recipe, searches, style);
	const plan = recipe.plan(known);
	switch (plan.type) {
		case "locate":
			if (searches.length === 0)
				return { type: "stuck", reason: `nothing in the files matches ${recipe.subject}` };
			return search(known, recipe, searches, style);
		case "inspect":
			return inspect(known, plan.paths, style);
		case "consult":
			return consult(known, plan.command);
		case "recall":
			return work("read", [plan]);
		case "unknown":
			return { type: "stuck", reason: plan.reason };
		case "change": {
			if (recipe.isPlain) return work("change", atOnce(plan.actions, style));
			const paths = plan.actions.flatMap((action) => ("path" in action ? [action.path] : []));
			return survey(known, paths, style) ?? work("change", atOnce(plan.actions, style));
		}
		case "settled":
			return settle(known, recipe, style);
	}
}

type Stage = Extract<Decision, { readonly type: "work" }>["stage"];

const work = (stage: Stage, actions: readonly Action[]): Decision => ({ type: "work", stage, actions });

const readAll = (paths: readonly string[]): readonly Action[] =>
	paths.map((path) => ({ type: "read", path }));

const atOnce = (actions: readonly Action[], { isSequential }: Style): readonly Action[] =>
	isSequential ? actions.slice(0, 1) : actions;

/** Content of earlier turns may be stale, so nothing is changed before this turn has searched or read. */
function knowsNothingOfTurn({ turn, searches, views, changed }: Knowledge): boolean {
	if (searches.length > 0 || changed.size > 0) return false;
	return ![...views.values()].some((view) => view.message > turn.message);
}

/** Reads the files that the prompt or a description names along with the search. */
function search(known: Knowledge, recipe: Recipe, patterns: readonly string[], style: Style): Decision {
	const paths = [...new Set([...recipe.hints, ...known.remembered])].filter((path) => !known.views.has(path));
	const searches = patterns.map((pattern): Action => ({ type: "search", pattern }));
	return work("search", atOnce([...searches, ...readAll(paths.slice(0, style.filesAtOnce))], style));
}

/** Reads the needed files, and fills up with other files that the search found. */
function inspect(known: Knowledge, needed: readonly string[], style: Style): Decision {
	const others = known.hits
		.map(({ path }) => path)
		.filter((path) => !known.views.has(path) && !needed.includes(path));
	const beside = [...new Set(others)].slice(0, Math.max(0, style.filesAtOnce - needed.length));
	return work("read", atOnce(readAll([...needed, ...beside]), style));
}

/** Gives up if the command already ran in this turn: a second run would print the same. */
function consult({ turn, exchanges }: Knowledge, command: string): Decision {
	const isRun = exchanges.some(
		({ call, message }) => message > turn.message && call.arguments.command === command,
	);
	if (isRun) return { type: "stuck", reason: "the history does not say what was there before" };
	return work("read", [{ type: "run", command }]);
}

function survey(known: Knowledge, paths: readonly string[], style: Style): Decision | undefined {
	const actions = nextSurvey(known, paths, style);
	return actions.length > 0 ? work("survey", actions) : undefined;
}

/** Reviews the edits, then runs the check. */
function settle(known: Knowledge, recipe: Recipe, style: Style): Decision {
	const check = work("check", [{ type: "run", command: recipe.check.command }]);
	if (recipe.isPlain) return check;
	if (known.changed.size === 0 && style.isSequential) {
		const seen = [...known.views].filter(([, view]) => view.message > known.turn.message);
		const looked = survey(
			known,
			seen.slice(0, 1).map(([path]) => path),
			style,
		);
		if (looked) return looked;
	}
	const actions = nextReview(known, style);
	if (actions.length > 0) return work("review", actions);
	return check;
}
