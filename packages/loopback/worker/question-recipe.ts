/** The recipe for a question whose answer goes into a notes file. */

import type { Assignment } from "./assignment.ts";
import { functionPattern } from "./code-recipes.ts";
import { definitionOf } from "./constant-recipes.ts";
import { findPlace, isOfThisTurn } from "./edit-sites.ts";
import type { Knowledge } from "./knowledge.ts";
import { escapePattern } from "./pattern.ts";
import type { Plan, Recipe } from "./recipe.ts";
import { quote } from "./toolbox.ts";

type Question = Extract<Assignment, { readonly type: "question" }>;

export function recipeForQuestion(question: Question): Recipe {
	const { name, fact, notes } = question;
	const head = fact === "value" ? `^(export )?const ${escapePattern(name)} = ` : functionPattern(name).source;
	const written = new RegExp(`^${escapePattern(name)}: (.+)$`, "m");
	return {
		subject: name,
		searches: [`\\b${escapePattern(name)}\\b`],
		hints: [],
		check: {
			command: `git grep -n -E --untracked -e ${quote(head)}; cat ${quote(notes)}`,
			passes: (output) => {
				const [, path, value] = /^([^\n:]+):\d+:.*?(?:= (\d+);?)?$/m.exec(output) ?? [];
				return written.exec(output)?.[1] === (fact === "value" ? value : path);
			},
		},
		plan: (known) => planAnswer(known, question, written),
	};
}

/** Looks the answer up and writes it down; the check compares it with the code. */
function planAnswer(known: Knowledge, { name, fact, notes }: Question, written: RegExp): Plan {
	const note = known.views.get(notes);
	if (note && isOfThisTurn(known, note.message) && written.test(note.text)) return { type: "settled" };
	const definition = definitionOf(name);
	const path = findPlace(known, fact === "value" ? definition : functionPattern(name));
	if (path === undefined) return { type: "locate" };
	const view = known.views.get(path);
	if (!view) return { type: "inspect", paths: [path] };
	const answer = fact === "value" ? definition.exec(view.text)?.[1] : path;
	if (answer === undefined) return { type: "inspect", paths: [path] };
	const content = `# ${name}\n\nLooked up in the code; what stands there decides if the two differ.\n\n${name}: ${answer}\n\nSource: ${path}\n`;
	return { type: "change", actions: [{ type: "write", path: notes, content }] };
}
