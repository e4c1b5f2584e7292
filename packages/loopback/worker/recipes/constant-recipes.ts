/** The recipes for tasks about one numeric constant, named or described. */
import type { Of } from "../assignment.ts";
import { type Goal, setConstant, setDescribedConstant } from "../goals.ts";
import type { Knowledge } from "../knowledge.ts";
import { escapePattern } from "../naming.ts";
import { findNote, type Past } from "../past.ts";
import {
	type EditSite,
	findPlace,
	isOfThisTurn,
	type Plan,
	planEdits,
	type Recipe,
	searchLines,
} from "./recipe.ts";

export const definitionOf = (name: string): RegExp =>
	new RegExp(`^(?:export )?const ${escapePattern(name)} = (\\d+);?$`, "m");

const searchDefinition = (name: string): string =>
	searchLines(`^(export )?const ${escapePattern(name)} = `, "-E ");

const valueSite = (name: string, value: number | string): EditSite => ({
	...{ place: definitionOf(name), goal: setConstant(name, value) },
});

export function recipeForConstant({ name, value }: Of<"constant" | "decide">): Recipe {
	return {
		subject: name,
		searches: [`\\b${escapePattern(name)}\\b`],
		check: {
			command: searchDefinition(name),
			passes: (output) => definitionOf(name).exec(output)?.[1] === String(value),
		},
		plan: (known) => planEdits(known, valueSite(name, value)),
	};
}

/** The note decides, even if the code has changed since. */
export function recipeForReuse({ noted, name }: Of<"reuse">): Recipe {
	const note = new RegExp(`^${escapePattern(noted)}: (\\d+)`, "m");
	return {
		subject: name,
		searches: [`\\b${escapePattern(name)}\\b`, `^${escapePattern(noted)}: [0-9]+`],
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
	if (value !== undefined) return planEdits(known, valueSite(name, value));
	const hit = known.hits.find(({ text }) => note.test(text));
	if (!hit) return { type: "locate" };
	const rest = planEdits(known, valueSite(name, ""));
	return { type: "inspect", paths: [hit.path, ...(rest.type === "inspect" ? rest.paths : [])] };
}

/** A line that names a description, which may not be the beginning of a longer one. */
const described = (description: string): RegExp => new RegExp(`${escapePattern(description)}(?!\\w)`);

/** A constant below its description; the group is its value. */
const describedConstant = (description: string): RegExp =>
	new RegExp(`${described(description).source}.*\\n(?:export )?const \\w+ = (\\d+);?$`, "m");

const planDescribed = (known: Knowledge, description: string, value: number | string): Plan =>
	planEdits(known, { place: described(description), goal: setDescribedConstant(description, value) });

function checkDescribed(description: string, value: number): Recipe["check"] {
	const definition = new RegExp(describedConstant(description), "gm");
	return {
		command: searchLines(description, "-A 1 -F "),
		passes: (output) => {
			const found = [...output.matchAll(definition)];
			return found.length === 1 && found[0]?.[1] === String(value);
		},
	};
}

export function recipeForAdjustment({ description, value }: Of<"adjust">): Recipe {
	return {
		subject: description,
		searches: [escapePattern(description)],
		check: checkDescribed(description, value),
		plan: (known) => planDescribed(known, description, value),
	};
}

/** The value of the other constant is looked up in this turn and noted, because no earlier source is certain. */
export function recipeForMatch({ description, model }: Of<"match">, past: Past): Recipe {
	const note = new RegExp(`"${escapePattern(model)}" is (\\d+)`);
	const readValue = (known: Knowledge): string | undefined => {
		const views = [...known.views.values()].filter((view) => isOfThisTurn(known, view.message));
		const seen = views.map(({ text }) => describedConstant(model).exec(text)?.[1]);
		return seen.find((value) => value !== undefined) ?? findNote(past, note)?.[1];
	};
	return {
		subject: description,
		searches: [description, model].map(escapePattern),
		check: {
			command: `${searchLines(description, "-A 1 -F ")}; ${searchLines(model, "-A 1 -F ")}`,
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
			if (value !== undefined) return planDescribed(known, description, value);
			const path = findPlace(known, described(model));
			return path === undefined ? { type: "locate" } : { type: "inspect", paths: [path] };
		},
	};
}

export function recipeForIntroduction({ description, value, path }: Of<"introduce">): Recipe {
	const folder = path.split("/").slice(0, -1).join("/");
	const file = path.split("/").at(-1) ?? path;
	const goal: Goal = (text) =>
		described(description).test(text)
			? setDescribedConstant(description, value)(text)
			: introduce(text, description, value);
	return {
		subject: description,
		searches: [escapePattern(description), `from "(\\./|.*${escapePattern(folder)}/)${escapePattern(file)}"`],
		hints: [path],
		check: checkDescribed(description, value),
		plan: (known) => planEdits(known, { place: path, goal }),
	};
}

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
