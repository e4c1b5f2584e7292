/** The recipes for tasks about functions and names: fix a comparison, add an option. */

import type { Assignment } from "./assignment.ts";
import { searchLines } from "./constant-recipes.ts";
import { indentOf, insertBetween, planEdits, replaceLine } from "./edit-sites.ts";
import { escapePattern } from "./pattern.ts";
import type { Recipe } from "./recipe.ts";
import type { LineChange } from "./text-change.ts";

type Of<T extends Assignment["type"]> = Extract<Assignment, { readonly type: T }>;

export const functionPattern = (name: string): RegExp =>
	new RegExp(`\\bfunction ${escapePattern(name)} ?\\(`);

/** The line numbers of the body of a top-level function; empty when it is not in the file. */
function bodyOf(lines: readonly string[], name: string): readonly number[] {
	const start = lines.findIndex((line) => functionPattern(name).test(line));
	if (start === -1) return [];
	const length = lines.slice(start).indexOf("}");
	return [...lines.keys()].slice(start, length === -1 ? undefined : start + length);
}

export function recipeForBug({ name, wrong, right }: Of<"bug">): Recipe {
	const word = `\\b${escapePattern(name)}\\b`;
	return {
		subject: name,
		searches: [word],
		hints: [],
		check: {
			command: searchLines(functionPattern(name).source, "-E -A 60 "),
			passes: (output) => {
				const lines = output.split("\n");
				const body = bodyOf(lines, name).map((index) => lines[index] ?? "");
				const has = (operator: string) => body.some((line) => line.includes(` ${operator} `));
				return has(right) && !has(wrong);
			},
		},
		plan: (known) =>
			planEdits(known, [
				{ place: functionPattern(name), rewrite: (lines) => mendComparison(lines, name, wrong, right) },
			]),
	};
}

/** The first line of the body with the wrong operator; none if the right one is already there. */
function mendComparison(
	lines: readonly string[],
	name: string,
	wrong: string,
	right: string,
): readonly LineChange[] | undefined {
	const body = bodyOf(lines, name);
	const index = body.find((at) => lines[at]?.includes(` ${wrong} `));
	if (index === undefined) return body.some((at) => lines[at]?.includes(` ${right} `)) ? [] : undefined;
	return replaceLine(lines, index, (lines[index] ?? "").trim().replace(` ${wrong} `, ` ${right} `));
}

export function recipeForOption(assignment: Of<"option">): Recipe {
	const { option, value, config, settingsType, name, local } = assignment;
	const declared = `readonly ${option}: number;`;
	const taken = `const ${local} = settings.${option};`;
	const settings = new RegExp(`\\binterface ${escapePattern(settingsType)}\\b`);
	return {
		subject: name,
		searches: [`\\b${escapePattern(name)}\\b`, `\\b${escapePattern(settingsType)}\\b`],
		hints: [config],
		check: {
			command: searchLines(option, "-w -F "),
			passes: (output) => {
				const lines = output.split("\n").map((line) => line.trim().replace(/,$/, ""));
				return [`"${option}": ${value}`, declared, taken].every((line) => lines.includes(line));
			},
		},
		plan: (known) =>
			planEdits(known, [
				{ place: config, rewrite: (lines) => addEntry(lines, option, value) },
				{ place: settings, rewrite: (lines) => addField(lines, settings, declared) },
				{ place: functionPattern(name), rewrite: (lines) => takeLocal(lines, name, local, taken) },
			]),
	};
}

/** Adds a first entry to a JSON object with one entry per line. */
function addEntry(lines: readonly string[], option: string, value: number): readonly LineChange[] {
	const entry = `"${option}": ${value}`;
	const index = lines.findIndex((line) => line.trim().startsWith(`"${option}":`));
	if (index !== -1) return replaceLine(lines, index, /,$/.test(lines[index] ?? "") ? `${entry},` : entry);
	const next = lines[1] ?? "";
	const comma = next.trim() === "}" ? "" : ",";
	return insertBetween(lines, 0, [`${indentOf(next)}${entry}${comma}`]);
}

function addField(
	lines: readonly string[],
	type: RegExp,
	declared: string,
): readonly LineChange[] | undefined {
	if (lines.some((line) => line.trim() === declared)) return [];
	const index = lines.findIndex((line) => type.test(line));
	if (index === -1) return undefined;
	return insertBetween(lines, index, [`${indentOf(lines[index + 1] ?? "")}${declared}`]);
}

function takeLocal(
	lines: readonly string[],
	name: string,
	local: string,
	taken: string,
): readonly LineChange[] | undefined {
	const index = bodyOf(lines, name).find((at) => lines[at]?.trim().startsWith(`const ${local} = `));
	return index === undefined ? undefined : replaceLine(lines, index, taken);
}
