/** The recipe for each kind of assignment. */

import type { Assignment } from "./assignment.ts";
import { recipeForBug, recipeForOption, recipeForRename } from "./code-recipes.ts";
import {
	recipeForAdjustment,
	recipeForConstant,
	recipeForIntroduction,
	recipeForReuse,
} from "./constant-recipes.ts";
import { recipeForQuestion } from "./question-recipe.ts";
import type { Recipe } from "./recipe.ts";

export function recipeFor(assignment: Assignment): Recipe {
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
		case "question":
			return recipeForQuestion(assignment);
		case "reuse":
			return recipeForReuse(assignment);
	}
}
