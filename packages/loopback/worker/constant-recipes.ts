/** The recipes for tasks about one numeric constant. */

import type { Assignment } from "./assignment.ts";
import type { Knowledge } from "./knowledge.ts";
import { escapePattern } from "./pattern.ts";
import type { Plan, Recipe } from "./recipe.ts";
import { insertBetween, planSpots, replaceLine, type Spot } from "./spots.ts";
import type { LineChange } from "./text-change.ts";
import { quote } from "./toolbox.ts";

type Of<T extends Assignment["type"]> = Extract<Assignment, { readonly type: T }>;

const NUMBER_CONSTANT = /^export const ([A-Z][A-Z0-9_]*) = \d+;$/;
const SMALL_WORDS = new Set(["for", "in", "of", "the", "a"]);

export const searchLines = (pattern: string, options = ""): string =>
	`git grep -h --untracked ${options}-e ${quote(pattern)} || true`;

const definitionOf = (name: string): RegExp =>
	new RegExp(`^export const ${escapePattern(name)} = (\\d+);`, "m");

export function recipeForConstant({ name, value }: Of<"constant">): Recipe {
	return {
		subject: name,
		searches: [`\\b${escapePattern(name)}\\b`],
		hints: [],
		check: {
			command: searchLines(`^export const ${name} = `),
			passes: (output) => output.trim() === `export const ${name} = ${value};`,
		},
		plan: (known) => planSpots(known, [valueSpot(name, value)]),
	};
}

function valueSpot(name: string, value: number | string): Spot {
	const definition = definitionOf(name);
	return {
		place: definition,
		rewrite: (lines) => {
			const index = lines.findIndex((line) => definition.test(line));
			return index === -1 ? undefined : replaceLine(lines, index, `export const ${name} = ${value};`);
		},
	};
}

/** The note holds the number, and the code may have moved on: the note decides. */
export function recipeForReuse({ noted, name }: Of<"reuse">): Recipe {
	const note = new RegExp(`^${escapePattern(noted)}: (\\d+)`, "m");
	const noteSearch = `^${escapePattern(noted)}: [0-9]+`;
	return {
		subject: name,
		searches: [`\\b${escapePattern(name)}\\b`, noteSearch],
		hints: [],
		check: {
			command: `${searchLines(`^${noted}: [0-9]`)}; ${searchLines(`^export const ${name} = `)}`,
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
	if (value !== undefined) return planSpots(known, [valueSpot(name, value)]);
	const hit = known.hits.find(({ text }) => note.test(text));
	if (!hit) return { type: "locate" };
	const rest = planSpots(known, [valueSpot(name, "")]);
	return { type: "inspect", paths: [hit.path, ...(rest.type === "inspect" ? rest.paths : [])] };
}

export function recipeForAdjustment({ description, value }: Of<"adjust">): Recipe {
	const described = new RegExp(`${escapePattern(description)}(?!\\w)`);
	return {
		subject: description,
		searches: [escapePattern(description)],
		hints: [],
		check: checkDescribed(description, value),
		plan: (known) =>
			planSpots(known, [{ place: described, rewrite: (lines) => adjustDescribed(lines, described, value) }]),
	};
}

function adjustDescribed(
	lines: readonly string[],
	described: RegExp,
	value: number,
): readonly LineChange[] | undefined {
	const index = lines.findIndex(
		(line, at) => described.test(line) && NUMBER_CONSTANT.test(lines[at + 1] ?? ""),
	);
	if (index === -1) return undefined;
	const name = NUMBER_CONSTANT.exec(lines[index + 1] ?? "")?.[1] ?? "";
	return replaceLine(lines, index + 1, `export const ${name} = ${value};`);
}

function checkDescribed(description: string, value: number): Recipe["check"] {
	const definition = new RegExp(`${escapePattern(description)}(?!\\w).*\\nexport const \\w+ = (\\d+);`, "g");
	return {
		command: searchLines(description, "-A 1 -F "),
		passes: (output) => {
			const found = [...output.matchAll(definition)];
			return found.length === 1 && found[0]?.[1] === String(value);
		},
	};
}

export function recipeForIntroduction({ description, value, path }: Of<"introduce">): Recipe {
	const described = new RegExp(`${escapePattern(description)}(?!\\w)`);
	const folder = path.split("/").slice(0, -1).join("/");
	const file = path.split("/").at(-1) ?? path;
	return {
		subject: description,
		searches: [escapePattern(description), `from "(\\./|.*${escapePattern(folder)}/)${escapePattern(file)}"`],
		hints: [path],
		check: checkDescribed(description, value),
		plan: (known) =>
			planSpots(known, [
				{
					place: path,
					rewrite: (lines) =>
						lines.some((line) => described.test(line))
							? adjustDescribed(lines, described, value)
							: introduce(lines, description, value),
				},
			]),
	};
}

/** Behind the last numeric constant of the file, with the prefix that its name has. */
function introduce(
	lines: readonly string[],
	description: string,
	value: number,
): readonly LineChange[] | undefined {
	const index = lines.findLastIndex((line) => NUMBER_CONSTANT.test(line));
	if (index === -1) return undefined;
	const prefix = NUMBER_CONSTANT.exec(lines[index] ?? "")?.[1]?.split("_")[0] ?? "APP";
	const words = description.toLowerCase().match(/[a-z0-9]+/g) ?? [];
	const name = [prefix, ...words.filter((word) => !SMALL_WORDS.has(word))].join("_").toUpperCase();
	return insertBetween(lines, index, ["", `/** ${description}. */`, `export const ${name} = ${value};`]);
}
