/** The recipes for tasks about one numeric constant, named or described. */
import type { Of } from "../assignment.ts";
import type { Knowledge } from "../knowledge.ts";
import { escapePattern } from "../naming.ts";
import { findNote, type Past } from "../past.ts";
import { type LineChange, quote } from "../toolbox.ts";
import {
	type EditSite,
	findPlace,
	insertBetween,
	isOfThisTurn,
	type Plan,
	planEdits,
	type Recipe,
	replaceLine,
} from "./recipe.ts";

/** A constant with a whole number, exported or not, with a semicolon or without. */
const NUMBER_CONSTANT = /^(export )?const ([A-Za-z_]\w*) = \d+(;?)$/;

export const searchLines = (pattern: string, options = ""): string =>
	`git grep -h --untracked ${options}-e ${quote(pattern)} || true`;

export const definitionOf = (name: string): RegExp =>
	new RegExp(`^(?:export )?const ${escapePattern(name)} = (\\d+);?$`, "m");

const searchDefinition = (name: string): string =>
	searchLines(`^(export )?const ${escapePattern(name)} = `, "-E ");

export function recipeForConstant({ name, value }: Of<"constant" | "decide">): Recipe {
	return {
		subject: name,
		searches: [`\\b${escapePattern(name)}\\b`],
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

function replaceNumber(
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

const SMALL_WORDS = new Set(["for", "in", "of", "the", "a"]);

export function recipeForAdjustment({ description, value }: Of<"adjust">): Recipe {
	const described = new RegExp(`${escapePattern(description)}(?!\\w)`);
	return {
		subject: description,
		searches: [escapePattern(description)],
		check: checkDescribed(description, value),
		plan: (known) =>
			planEdits(known, [{ place: described, rewrite: (lines) => adjustDescribed(lines, described, value) }]),
	};
}

/** The value of the other constant is looked up in this turn and noted, because no earlier source is certain. */
export function recipeForMatch({ description, model }: Of<"match">, past: Past): Recipe {
	const note = new RegExp(`"${escapePattern(model)}" is (\\d+)`);
	const place = new RegExp(`${escapePattern(model)}(?!\\w)`);
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
			if (value !== undefined)
				return recipeForAdjustment({ type: "adjust", description, value: Number(value) }).plan(known);
			const path = findPlace(known, place);
			return path === undefined ? { type: "locate" } : { type: "inspect", paths: [path] };
		},
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
	return replaceNumber(lines, index + 1, value);
}

/** A constant below its description; the group is its value. */
const describedConstant = (description: string): RegExp =>
	new RegExp(`${escapePattern(description)}(?!\\w).*\\n(?:export )?const \\w+ = (\\d+);?$`, "m");

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
			planEdits(known, [
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

/** Adds the constant after the last numeric one, in the style of the file. */
function introduce(
	lines: readonly string[],
	description: string,
	value: number,
): readonly LineChange[] | undefined {
	const index = lines.findLastIndex((line) => NUMBER_CONSTANT.test(line));
	const [, head = "", neighbour = "", end = ""] = NUMBER_CONSTANT.exec(lines[index] ?? "") ?? [];
	if (index === -1) return undefined;
	const words = description.toLowerCase().match(/[a-z0-9]+/g) ?? [];
	const name = [neighbour.split("_")[0], ...words.filter((word) => !SMALL_WORDS.has(word))]
		.join("_")
		.toUpperCase();
	const statement = `${head}const ${name} = ${value}${end}`;
	return insertBetween(lines, index, ["", `/** ${description}. */`, statement]);
}
