/** The recipe for each kind of assignment. */
import type { Assignment, Of } from "../assignment.ts";
import type { Past } from "../past.ts";
import { HISTORY_RECIPES } from "./history-recipes.ts";
import { MEMORY_RECIPES } from "./memory-recipes.ts";
import type { Recipes } from "./recipe.ts";
import { REPOSITORY_RECIPES } from "./repository-recipes.ts";

const RECIPES: Recipes = { ...REPOSITORY_RECIPES, ...HISTORY_RECIPES, ...MEMORY_RECIPES };

/** `notesIds`: the words of the worker carry ids that a log showed. */
export function recipeFor<K extends Assignment["type"]>(assignment: Of<K>, past: Past, notesIds: boolean) {
	const make: Recipes[K] = RECIPES[assignment.type];
	return make(assignment, past, notesIds);
}
