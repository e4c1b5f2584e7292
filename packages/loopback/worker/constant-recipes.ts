/** The recipes for tasks about one numeric constant. */

import type { Assignment } from "./assignment.ts";
import { type EditSite, planEdits, replaceLine } from "./edit-sites.ts";
import type { Knowledge } from "./knowledge.ts";
import { escapePattern } from "./pattern.ts";
import type { Plan, Recipe } from "./recipe.ts";
import type { LineChange } from "./text-change.ts";
import { quote } from "./toolbox.ts";

type Of<T extends Assignment["type"]> = Extract<Assignment, { readonly type: T }>;

/** A constant with a whole number, exported or not, with a semicolon or without. */
export const NUMBER_CONSTANT = /^(export )?const ([A-Za-z_]\w*) = \d+(;?)$/;

export const searchLines = (pattern: string, options = ""): string =>
	`git grep -h --untracked ${options}-e ${quote(pattern)} || true`;

export const definitionOf = (name: string): RegExp =>
	new RegExp(`^(?:export )?const ${escapePattern(name)} = (\\d+);?$`, "m");

const searchDefinition = (name: string): string =>
	searchLines(`^(export )?const ${escapePattern(name)} = `, "-E ");

export function recipeForConstant({ name, value }: Of<"constant">): Recipe {
	return {
		subject: name,
		searches: [`\\b${escapePattern(name)}\\b`],
		hints: [],
		check: {
			command: searchDefinition(name),
			passes: (output) => definitionOf(name).exec(output)?.[1] === String(value),
		},
		plan: (known) => planEdits(known, [valueSite(name, value)]),
	};
}

function valueSite(name: string, value: number | string): EditSite {
	const definition = definitionOf(name);
	return {
		place: definition,
		rewrite: (lines) => {
			const index = lines.findIndex((line) => definition.test(line));
			return index === -1 ? undefined : replaceNumber(lines, index, value);
		},
	};
}

export function replaceNumber(
	lines: readonly string[],
	index: number,
	value: number | string,
): readonly LineChange[] {
	return replaceLine(
		lines,
		index,
		(lines[index] ?? "").replace(/ = \d+/, () => ` = ${value}`),
	);
}

/** The note decides, even if the code has changed since. */
export function recipeForReuse({ noted, name }: Of<"reuse">): Recipe {
	const note = new RegExp(`^${escapePattern(noted)}: (\\d+)`, "m");
	const noteSearch = `^${escapePattern(noted)}: [0-9]+`;
	return {
		subject: name,
		searches: [`\\b${escapePattern(name)}\\b`, noteSearch],
		hints: [],
		check: {
			command: `${searchLines(`^${noted}: [0-9]`)}; ${searchDefinition(name)}`,
			passes: (output) => {
				const value = note.exec(output)?.[1];
				return value !== undefined && value === definitionOf(name).exec(output)?.[1];
			},
		},
		plan: (known) => planReuse(known, note, name),
	};
}

function planReuse(known: Knowledge, note: RegExp, name: string): Plan {
	const seen = [...known.views.values()].map((view) => note.exec(view.text)?.[1]);
	const value = seen.find((candidate) => candidate !== undefined);
	if (value !== undefined) return planEdits(known, [valueSite(name, value)]);
	const hit = known.hits.find(({ text }) => note.test(text));
	if (!hit) return { type: "locate" };
	const rest = planEdits(known, [valueSite(name, "")]);
	return { type: "inspect", paths: [hit.path, ...(rest.type === "inspect" ? rest.paths : [])] };
}
