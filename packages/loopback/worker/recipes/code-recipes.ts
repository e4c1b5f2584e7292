/** The recipes for tasks about functions and names, and for questions about them. */
import type { Of } from "../assignment.ts";
import { addEntry, addField, replaceWord, setOperator, takeFromSettings } from "../goals.ts";
import type { Knowledge } from "../knowledge.ts";
import { escapePattern } from "../naming.ts";
import { quote } from "../toolbox.ts";
import { definitionOf } from "./constant-recipes.ts";
import {
	findPlace,
	isOfThisTurn,
	type Plan,
	planEdits,
	planGoals,
	type Recipe,
	searchLines,
} from "./recipe.ts";

export const functionPattern = (name: string): RegExp =>
	new RegExp(`\\bfunction ${escapePattern(name)} ?\\(`);

export function recipeForBug({ name, right }: Omit<Of<"bug">, "wrong">): Recipe {
	const goal = setOperator(name, right);
	return {
		subject: name,
		searches: [`\\b${escapePattern(name)}\\b`],
		check: {
			command: searchLines(functionPattern(name).source, "-E -A 60 "),
			passes: (output) => goal(output) === output,
		},
		plan: (known) => planEdits(known, { place: functionPattern(name), goal }),
	};
}

export function recipeForOption(assignment: Of<"option">): Recipe {
	const { option, value, config, settingsType, name, local } = assignment;
	const wanted = [
		`"${option}": ${value}`,
		`readonly ${option}: number;`,
		`const ${local} = settings.${option};`,
	];
	return {
		subject: name,
		searches: [`\\b${escapePattern(name)}\\b`, `\\b${escapePattern(settingsType)}\\b`],
		hints: [config],
		check: {
			command: searchLines(option, "-w -F "),
			passes: (output) => {
				const lines = output.split("\n").map((line) => line.trim().replace(/,$/, ""));
				return wanted.every((line) => lines.includes(line));
			},
		},
		plan: (known) =>
			planEdits(
				known,
				{ place: config, goal: addEntry(option, value) },
				{
					place: new RegExp(`\\binterface ${escapePattern(settingsType)}\\b`),
					goal: addField(settingsType, option),
				},
				{ place: functionPattern(name), goal: takeFromSettings(name, local, option) },
			),
	};
}

export function recipeForRename({ from, to, folders }: Of<"rename">): Recipe {
	const old = new RegExp(`\\b${escapePattern(from)}\\b`);
	const places = folders.map((folder) => (/^[\w/-]+$/.test(folder) ? folder : quote(folder))).join(" ");
	return {
		subject: from,
		searches: [old.source],
		check: {
			command: `git grep -n --untracked -w -e ${quote(from)} -- ${places}; git grep -c --untracked -w -e ${quote(to)} -- ${places}`,
			passes: (output) => !old.test(output) && /:\d+\s*$/m.test(output),
		},
		plan: (known) => {
			const paths = pathsToRename(known, old, folders);
			if (paths.length === 0) return { type: known.searches.length > 0 ? "settled" : "locate" };
			const goal = replaceWord(from, to);
			return planGoals(
				known,
				paths.map((path) => ({ path, goal })),
			);
		},
	};
}

/** The files that a search of this turn found and that did not change since, plus the files seen in this turn. */
function pathsToRename(known: Knowledge, old: RegExp, folders: readonly string[]): readonly string[] {
	const isInside = (path: string) => folders.some((folder) => path.startsWith(`${folder}/`));
	const found = known.hits
		.filter(({ path, message }) => (known.changed.get(path) ?? -1) < message)
		.map(({ path }) => path);
	const seen = [...known.views]
		.filter(([, view]) => isOfThisTurn(known, view.message) && old.test(view.text))
		.map(([path]) => path);
	return [...new Set([...found, ...seen])].filter(isInside);
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
	const text = known.views.get(path)?.text;
	const answer = text && (fact === "value" ? definition.exec(text)?.[1] : path);
	if (!answer) return { type: "inspect", paths: [path] };
	const content = `# ${name}\n\nLooked up in the code; what stands there decides if the two differ.\n\n${name}: ${answer}\n\nSource: ${path}\n`;
	return { type: "change", actions: [{ type: "write", path: notes, content }] };
}
