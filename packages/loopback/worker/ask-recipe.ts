/** The recipe for a question that is answered in words. */

import type { Assignment } from "./assignment.ts";
import { functionPattern } from "./code-recipes.ts";
import { searchLines } from "./constant-recipes.ts";
import { describedConstant } from "./described-recipes.ts";
import { findPlace } from "./edit-sites.ts";
import type { Check, Knowledge } from "./knowledge.ts";
import { escapePattern } from "./pattern.ts";
import type { Plan, Recipe } from "./recipe.ts";
import { quote } from "./toolbox.ts";

type Ask = Extract<Assignment, { readonly type: "ask" }>;

export function recipeForAsk({ fact, about }: Ask): Recipe {
	const word = escapePattern(about);
	const place = fact === "described" ? new RegExp(`${word}(?!\\w)`) : functionPattern(about);
	const lookup = LOOKUPS[fact](about);
	return {
		subject: about,
		searches: [fact === "described" ? word : `\\b${word}\\b`],
		hints: [],
		check: { command: lookup.command, passes: (output) => lookup.answer(output) !== undefined },
		answer: lookup.answer,
		plan: (known) => planLookup(known, place),
	};
}

/** The command that answers a question, and the parser of its output. */
interface Lookup {
	readonly command: Check["command"];
	readonly answer: (output: string) => string | undefined;
}

const LOOKUPS: Readonly<Record<Ask["fact"], (about: string) => Lookup>> = {
	home: (name) => ({
		command: `git grep -l -E --untracked -e ${quote(functionPattern(name).source)}`,
		answer: (output) => /^[\w@./-]+\/[\w@./-]+$/m.exec(output)?.[0],
	}),
	mentions: (name) => ({
		command: `git grep -l --untracked -w -e ${quote(name)} | wc -l`,
		answer: (output) => /^\s*(\d+)\s*$/m.exec(output)?.[1],
	}),
	described: (description) => ({
		command: searchLines(description, "-A 1 -F "),
		answer: (output) => describedConstant(description).exec(output)?.[1],
	}),
};

/** The worker looks at the place before it answers; a list of hits is not enough. */
function planLookup(known: Knowledge, place: RegExp): Plan {
	const path = findPlace(known, place);
	if (path === undefined) return { type: "locate" };
	return known.views.has(path) ? { type: "settled" } : { type: "inspect", paths: [path] };
}
