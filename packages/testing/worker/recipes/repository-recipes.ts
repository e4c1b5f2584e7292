/** The recipes for tasks that the repository answers: about one numeric constant, named or described, and about functions and names. */
import * as goals from "../goals.ts";
import { findLatest, type Knowledge } from "../knowledge.ts";
import { escapePattern } from "../naming.ts";
import { quote } from "../toolbox.ts";
import type { FileView } from "../visible.ts";
import {
	findPlace,
	isOfThisTurn,
	planEdits,
	type Recipe,
	type Recipes,
	recipeForEdit,
	searchLines,
} from "./recipe.ts";

export const wordOf = (name: string): string => `\\b${escapePattern(name)}\\b`;

const definitionOf = (name: string): RegExp =>
	new RegExp(`^(?:export )?const ${escapePattern(name)} = (\\d+);?$`, "m");

const searchDefinition = (name: string): string =>
	searchLines(`^(export )?const ${escapePattern(name)} = `, "-E ");

const valueSite = (name: string, value: number | string) => ({
	place: definitionOf(name),
	goal: goals.setConstant(name, value),
});

/** A line that names a description, which may not be the beginning of a longer one. */
const described = (description: string): RegExp => new RegExp(`${escapePattern(description)}(?!\\w)`);

/** A constant below its description; the group is its value. */
const describedConstant = (description: string): RegExp =>
	new RegExp(`${described(description).source}.*\\n(?:export )?const \\w+ = (\\d+);?$`, "m");

const searchDescribed = (description: string): string => searchLines(description, "-A 1 -F ");

export const functionPattern = (name: string): RegExp =>
	new RegExp(`\\bfunction ${escapePattern(name)} ?\\(`);

export const recipeForConstant = (name: string, value: number): Recipe =>
	recipeForEdit({
		subject: name,
		searches: [wordOf(name)],
		command: searchDefinition(name),
		...valueSite(name, value),
	});

export const recipeForBug = (name: string, right: string): Recipe =>
	recipeForEdit({
		subject: name,
		searches: [wordOf(name)],
		command: searchLines(functionPattern(name).source, "-E -A 60 "),
		place: functionPattern(name),
		goal: goals.setOperator(name, right),
	});

export function recipeForRename(from: string, to: string, folders: readonly string[]): Recipe {
	const old = new RegExp(wordOf(from));
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
			return planEdits(known, ...paths.map((place) => ({ place, goal: goals.replaceWord(from, to) })));
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

/** The first group of the first match in some files. */
const findIn = (views: readonly FileView[], pattern: RegExp): string | undefined =>
	views.map(({ text }) => pattern.exec(text)?.[1]).find((found) => found !== undefined);

const SMALL_WORDS = new Set(["for", "in", "of", "the", "a"]);

/** Adds the constant after the last numeric one, under a name that begins like that one. */
function introduce(text: string, description: string, value: number): string | undefined {
	const lines = text.split("\n");
	const last = lines.findLastIndex((line) => /^export const \w+ = \d+;$/.test(line));
	if (last === -1) return undefined;
	const [prefix = ""] = /(?<=const )[^\W_]*/.exec(lines[last] ?? "") ?? [];
	const words = (description.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter(
		(word) => !SMALL_WORDS.has(word),
	);
	const name = [prefix, ...words].join("_").toUpperCase();
	const added = ["", `/** ${description}. */`, `export const ${name} = ${value};`];
	return lines.toSpliced(last + 1, 0, ...added).join("\n");
}

export const REPOSITORY_RECIPES = {
	constant: ({ name, value }) => recipeForConstant(name, value),
	decide: ({ name, value }) => recipeForConstant(name, value),
	bug: ({ name, right }) => recipeForBug(name, right),
	rename: ({ from, to, folders }) => recipeForRename(from, to, folders),

	/** The note decides, even if the code has changed since. */
	reuse({ noted, name }) {
		const note = new RegExp(`^${escapePattern(noted)}: (\\d+)`, "m");
		return {
			subject: name,
			searches: [wordOf(name), `^${escapePattern(noted)}: [0-9]+`],
			check: {
				command: `${searchLines(`^${noted}: [0-9]`)}; ${searchDefinition(name)}`,
				passes: (output) => {
					const value = note.exec(output)?.[1];
					return value !== undefined && value === definitionOf(name).exec(output)?.[1];
				},
			},
			plan: (known) => {
				const value = findIn([...known.views.values()], note);
				if (value !== undefined) return planEdits(known, valueSite(name, value));
				const hit = known.hits.find(({ text }) => note.test(text));
				if (!hit) return { type: "locate" };
				const rest = planEdits(known, valueSite(name, ""));
				return { type: "inspect", paths: [hit.path, ...(rest.type === "inspect" ? rest.paths : [])] };
			},
		};
	},

	adjust: ({ description, value }) =>
		recipeForEdit({
			subject: description,
			searches: [escapePattern(description)],
			command: searchDescribed(description),
			place: described(description),
			goal: goals.setDescribedConstant(description, value),
		}),

	/** The value of the other constant is looked up in this turn and noted, because no earlier source is certain. */
	match({ description, model }, past) {
		const note = new RegExp(`"${escapePattern(model)}" is (\\d+)`);
		const readValue = (known: Knowledge): string | undefined => {
			const views = [...known.views.values()].filter((view) => isOfThisTurn(known, view.message));
			return findIn(views, describedConstant(model)) ?? findLatest(past.notes, note)?.[1];
		};
		return {
			subject: description,
			searches: [description, model].map(escapePattern),
			check: {
				command: `${searchDescribed(description)}; ${searchDescribed(model)}`,
				passes: (output) => {
					const [value, wanted] = [description, model].map((one) => describedConstant(one).exec(output)?.[1]);
					return value !== undefined && value === wanted;
				},
			},
			findings: (known) => {
				const value = readValue(known);
				return value === undefined ? [] : [`"${model}" is ${value}`];
			},
			plan: (known) => {
				const value = readValue(known);
				if (value !== undefined) {
					const goal = goals.setDescribedConstant(description, value);
					return planEdits(known, { place: described(description), goal });
				}
				const path = findPlace(known, described(model));
				return path === undefined ? { type: "locate" } : { type: "inspect", paths: [path] };
			},
		};
	},

	introduce({ description, value, path }) {
		const folder = path.split("/").slice(0, -1).join("/");
		const file = path.split("/").at(-1) ?? path;
		const goal: goals.Goal = (text) =>
			described(description).test(text)
				? goals.setDescribedConstant(description, value)(text)
				: introduce(text, description, value);
		return recipeForEdit({
			subject: description,
			searches: [
				escapePattern(description),
				`from "(\\./|.*${escapePattern(folder)}/)${escapePattern(file)}"`,
			],
			hints: [path],
			command: searchDescribed(description),
			place: path,
			goal,
		});
	},

	option({ option, value, config, settingsType, name, local }) {
		const wanted = [
			`"${option}": ${value}`,
			`readonly ${option}: number;`,
			`const ${local} = settings.${option};`,
		];
		const settings = new RegExp(`\\binterface ${escapePattern(settingsType)}\\b`);
		return {
			subject: name,
			searches: [wordOf(name), wordOf(settingsType)],
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
					{ place: config, goal: goals.addEntry(option, value) },
					{ place: settings, goal: goals.addField(settingsType, option) },
					{ place: functionPattern(name), goal: goals.takeFromSettings(name, local, option) },
				),
		};
	},

	/** Looks the answer up and writes it down; the check compares it with the code. */
	question({ name, fact, notes }) {
		const head =
			fact === "value" ? `^(export )?const ${escapePattern(name)} = ` : functionPattern(name).source;
		const written = new RegExp(`^${escapePattern(name)}: (.+)$`, "m");
		const definition = definitionOf(name);
		return {
			subject: name,
			searches: [wordOf(name)],
			check: {
				command: `git grep -n -E --untracked -e ${quote(head)}; cat ${quote(notes)}`,
				passes: (output) => {
					const [, path, value] = /^([^\n:]+):\d+:.*?(?:= (\d+);?)?$/m.exec(output) ?? [];
					return written.exec(output)?.[1] === (fact === "value" ? value : path);
				},
			},
			plan: (known) => {
				const note = known.views.get(notes);
				if (note && isOfThisTurn(known, note.message) && written.test(note.text)) return { type: "settled" };
				const path = findPlace(known, fact === "value" ? definition : functionPattern(name));
				if (path === undefined) return { type: "locate" };
				const text = known.views.get(path)?.text;
				const answer = text && (fact === "value" ? definition.exec(text)?.[1] : path);
				if (!answer) return { type: "inspect", paths: [path] };
				const content = `# ${name}\n\nLooked up in the code; what stands there decides if the two differ.\n\n${name}: ${answer}\n\nSource: ${path}\n`;
				return { type: "change", actions: [{ type: "write", path: notes, content }] };
			},
		};
	},
} satisfies Partial<Recipes>;
