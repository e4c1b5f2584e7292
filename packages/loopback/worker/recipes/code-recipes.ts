/** The recipes for tasks about functions and names, and for questions about them. */
import type { Of } from "../assignment.ts";
import type { Knowledge } from "../knowledge.ts";
import { escapePattern } from "../naming.ts";
import { changeFile, type LineChange, quote } from "../toolbox.ts";
import { definitionOf, searchLines } from "./constant-recipes.ts";
import {
	findPlace,
	indentOf,
	insertBetween,
	isOfThisTurn,
	type Plan,
	planEdits,
	type Recipe,
	replaceLine,
} from "./recipe.ts";

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

export function recipeForRename({ from, to, folders }: Of<"rename">): Recipe {
	const old = new RegExp(`\\b${escapePattern(from)}\\b`);
	const isInside = (path: string) => folders.some((folder) => path.startsWith(`${folder}/`));
	const places = folders.map((folder) => (/^[\w/-]+$/.test(folder) ? folder : quote(folder))).join(" ");
	return {
		subject: from,
		searches: [old.source],
		check: {
			command: `git grep -n --untracked -w -e ${quote(from)} -- ${places}; git grep -c --untracked -w -e ${quote(to)} -- ${places}`,
			passes: (output) => !old.test(output) && /:\d+\s*$/m.test(output),
		},
		plan: (known) => planRename(known, { old, to, isInside }),
	};
}

interface Renaming {
	readonly old: RegExp;
	readonly to: string;
	readonly isInside: (path: string) => boolean;
}

/** The files that a search of this turn found and that did not change since, plus the files seen in this turn. */
function planRename(known: Knowledge, { old, to, isInside }: Renaming): Plan {
	const found = known.hits
		.filter(({ path, message }) => isInside(path) && (known.changed.get(path) ?? -1) < message)
		.map(({ path }) => path);
	const seen = [...known.views]
		.filter(([path, view]) => isInside(path) && isOfThisTurn(known, view.message) && old.test(view.text))
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

export function recipeForQuestion(question: Of<"question">): Recipe {
	const { name, fact, notes } = question;
	const head = fact === "value" ? `^(export )?const ${escapePattern(name)} = ` : functionPattern(name).source;
	const written = new RegExp(`^${escapePattern(name)}: (.+)$`, "m");
	return {
		subject: name,
		searches: [`\\b${escapePattern(name)}\\b`],
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
function planAnswer(known: Knowledge, { name, fact, notes }: Of<"question">, written: RegExp): Plan {
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
