/** The recipes for tasks about functions and names: mend, rename, take from the settings. */

import type { Assignment } from "./assignment.ts";
import { searchLines } from "./constant-recipes.ts";
import type { Knowledge } from "./knowledge.ts";
import { escapePattern } from "./pattern.ts";
import type { Plan, Recipe } from "./recipe.ts";
import { indentOf, insertBetween, isOfThisTurn, planSpots, replaceLine } from "./spots.ts";
import { changeFile, type LineChange } from "./text-change.ts";
import { quote } from "./toolbox.ts";

type Of<T extends Assignment["type"]> = Extract<Assignment, { readonly type: T }>;

export const functionPattern = (name: string): RegExp => new RegExp(`\\bfunction ${escapePattern(name)}\\(`);

/** The line numbers of the body of a top-level function; empty when it is not in the file. */
function bodyOf(lines: readonly string[], name: string): readonly number[] {
	const start = lines.findIndex((line) => functionPattern(name).test(line));
	if (start === -1) return [];
	const length = lines.slice(start).indexOf("}");
	return [...lines.keys()].slice(start, length === -1 ? undefined : start + length);
}

const COMPARISON = / (<=|>=|<|>) /;

export function recipeForBug({ name, right }: Of<"bug">): Recipe {
	const word = `\\b${escapePattern(name)}\\b`;
	return {
		subject: name,
		searches: [word],
		hints: [],
		check: {
			command: searchLines(`function ${name}(`, "-A 60 "),
			passes: (output) => {
				const lines = output.split("\n");
				const compared = bodyOf(lines, name).map((index) => COMPARISON.exec(lines[index] ?? "")?.[1]);
				return compared.find((operator) => operator !== undefined) === right;
			},
		},
		plan: (known) =>
			planSpots(known, [
				{ place: functionPattern(name), rewrite: (lines) => mendComparison(lines, name, right) },
			]),
	};
}

function mendComparison(
	lines: readonly string[],
	name: string,
	right: string,
): readonly LineChange[] | undefined {
	const index = bodyOf(lines, name).find((at) => COMPARISON.test(lines[at] ?? ""));
	if (index === undefined) return undefined;
	return replaceLine(lines, index, (lines[index] ?? "").trim().replace(COMPARISON, ` ${right} `));
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
			planSpots(known, [
				{ place: config, rewrite: (lines) => addEntry(lines, option, value) },
				{ place: settings, rewrite: (lines) => addField(lines, settings, declared) },
				{ place: functionPattern(name), rewrite: (lines) => takeLocal(lines, name, local, taken) },
			]),
	};
}

/** A new first entry of a JSON object that has one entry a line. */
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

const RENAMED_FOLDERS = /^(src|docs)\//;

export function recipeForRename({ from, to }: Of<"rename">): Recipe {
	const old = new RegExp(`\\b${escapePattern(from)}\\b`);
	return {
		subject: from,
		searches: [old.source],
		hints: [],
		check: {
			command: `git grep -n --untracked -w -e ${quote(from)} -- src docs; git grep -c --untracked -w -e ${quote(to)} -- src docs`,
			passes: (output) => !old.test(output) && /:\d+\s*$/.test(output),
		},
		plan: (known) => planRename(known, old, to),
	};
}

/** Every file that a search of this turn found, less those changed since; without a search, those seen since. */
function planRename(known: Knowledge, old: RegExp, to: string): Plan {
	const found = known.hits
		.filter(({ path, message }) => RENAMED_FOLDERS.test(path) && (known.changed.get(path) ?? -1) < message)
		.map(({ path }) => path);
	const seen = [...known.views]
		.filter(
			([path, view]) =>
				RENAMED_FOLDERS.test(path) && isOfThisTurn(known, view.message) && old.test(view.text),
		)
		.map(([path]) => path);
	const paths = [...new Set([...found, ...seen])];
	if (paths.length === 0) return { type: known.searches.length > 0 ? "settled" : "locate" };
	const unseen = paths.filter((path) => !known.views.has(path));
	if (unseen.length > 0) return { type: "inspect", paths: unseen };
	const actions = paths.flatMap((path) => {
		const text = known.views.get(path)?.text ?? "";
		const changes = renameLines(text.split("\n"), old, to);
		return changes.length > 0 ? [changeFile(path, text, changes)] : [];
	});
	return actions.length > 0 ? { type: "change", actions } : { type: "settled" };
}

function renameLines(lines: readonly string[], old: RegExp, to: string): readonly LineChange[] {
	const everywhere = new RegExp(old.source, "g");
	return lines.flatMap((line, index) =>
		old.test(line) ? [{ start: index, end: index, lines: [line.replace(everywhere, () => to)] }] : [],
	);
}
