/** The recipe for each kind of assignment. */

import type { Assignment } from "./assignment.ts";
import { recipeForBug, recipeForOption } from "./code-recipes.ts";
import { recipeForConstant, recipeForReuse } from "./constant-recipes.ts";
import { recipeForAdjustment, recipeForIntroduction, recipeForMatch } from "./described-recipes.ts";
import { recipeForFormerName, recipeForUndo } from "./history-recipes.ts";
import {
	recipeForDecision,
	recipeForDeployment,
	recipeForShow,
	recipeForTold,
} from "./memory/fact-recipes.ts";
import {
	recipeForAdvice,
	recipeForCode,
	recipeForInsertion,
	recipeForReason,
	recipeForRelease,
	recipeForTotal,
} from "./memory/question-recipes.ts";
import type { Past } from "./past.ts";
import { recipeForQuestion } from "./question-recipe.ts";
import type { Recipe } from "./recipe.ts";
import { recipeForRename } from "./rename-recipe.ts";

/** `notesIds`: the words of the worker carry ids that a log showed. */
export function recipeFor(assignment: Assignment, past: Past, notesIds: boolean): Recipe {
	switch (assignment.type) {
		case "constant":
			return recipeForConstant(assignment);
		case "bug":
			return recipeForBug(assignment);
		case "rename":
			return recipeForRename(assignment);
		case "option":
			return recipeForOption(assignment);
		case "introduce":
			return recipeForIntroduction(assignment);
		case "adjust":
			return recipeForAdjustment(assignment);
		case "match":
			return recipeForMatch(assignment, past);
		case "question":
			return recipeForQuestion(assignment);
		case "reuse":
			return recipeForReuse(assignment);
		case "undo":
			return recipeForUndo(assignment, past);
		case "formerly":
			return recipeForFormerName(assignment, past);
		case "told":
			return recipeForTold(assignment);
		case "show":
			return recipeForShow(assignment);
		case "decide":
			return recipeForDecision(assignment);
		case "deploy":
			return recipeForDeployment(assignment, past, notesIds);
		case "recite":
		case "first":
			return recipeForCode(assignment, past);
		case "why":
			return recipeForReason(assignment, past);
		case "insert":
			return recipeForInsertion(assignment, past);
		case "release":
			return recipeForRelease(assignment, past);
		case "advise":
			return recipeForAdvice(assignment, past);
		case "total":
			return recipeForTotal(assignment, past);
	}
}
