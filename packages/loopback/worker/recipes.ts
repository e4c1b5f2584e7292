/** The recipe for each kind of assignment. */

import type { Assignment } from "./assignment.ts";
import { recipeForBug, recipeForOption } from "./code-recipes.ts";
import { recipeForConstant, recipeForReuse } from "./constant-recipes.ts";
import { recipeForAdjustment, recipeForIntroduction, recipeForMatch } from "./described-recipes.ts";
import { recipeForFormerName, recipeForUndo } from "./history-recipes.ts";
import type { Past } from "./past.ts";
import { recipeForQuestion } from "./question-recipe.ts";
import type { Recipe } from "./recipe.ts";
import { recipeForRename } from "./rename-recipe.ts";

export function recipeFor(assignment: Assignment, past: Past): Recipe {
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
	}
}
