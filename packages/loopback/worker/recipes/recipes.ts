/** The recipe for each kind of assignment. */
import type { Assignment, Of } from "../assignment.ts";
import type { Past } from "../past.ts";
import { recipeForBug, recipeForOption, recipeForQuestion, recipeForRename } from "./code-recipes.ts";
import {
	recipeForAdjustment,
	recipeForConstant,
	recipeForIntroduction,
	recipeForMatch,
	recipeForReuse,
} from "./constant-recipes.ts";
import { recipeForFormerName, recipeForUndo } from "./history-recipes.ts";
import {
	recipeForAdvice,
	recipeForCode,
	recipeForDeployment,
	recipeForHearing,
	recipeForInsertion,
	recipeForReason,
	recipeForRelease,
	recipeForTotal,
} from "./memory-recipes.ts";
import type { Recipe } from "./recipe.ts";

type Recipes = {
	readonly [K in Assignment["type"]]: (assignment: Of<K>, past: Past, notesIds: boolean) => Recipe;
};

const RECIPES: Recipes = {
	constant: recipeForConstant,
	bug: recipeForBug,
	rename: recipeForRename,
	option: recipeForOption,
	introduce: recipeForIntroduction,
	adjust: recipeForAdjustment,
	match: recipeForMatch,
	question: recipeForQuestion,
	reuse: recipeForReuse,
	undo: recipeForUndo,
	formerly: recipeForFormerName,
	told: ({ subject, notes }) => recipeForHearing(subject, notes),
	show: ({ title, notes }) => recipeForHearing(title, notes),
	decide: recipeForConstant,
	deploy: recipeForDeployment,
	recite: recipeForCode,
	first: recipeForCode,
	why: recipeForReason,
	insert: recipeForInsertion,
	release: recipeForRelease,
	advise: recipeForAdvice,
	total: recipeForTotal,
};

/** `notesIds`: the words of the worker carry ids that a log showed. */
export function recipeFor<K extends Assignment["type"]>(assignment: Of<K>, past: Past, notesIds: boolean) {
	const make: Recipes[K] = RECIPES[assignment.type];
	return make(assignment, past, notesIds);
}
