/** The recipes for tasks about a constant that the prompt describes without its name. */

import type { Assignment } from "./assignment.ts";
import { NUMBER_CONSTANT, replaceNumber, searchLines } from "./constant-recipes.ts";
import { findPlace, insertBetween, isOfThisTurn, planEdits } from "./edit-sites.ts";
import type { Knowledge } from "./knowledge.ts";
import { findNote, type Past } from "./past.ts";
import { escapePattern } from "./pattern.ts";
import type { Recipe } from "./recipe.ts";
import type { LineChange } from "./text-change.ts";

type Of<T extends Assignment["type"]> = Extract<Assignment, { readonly type: T }>;

const SMALL_WORDS = new Set(["for", "in", "of", "the", "a"]);

export function recipeForAdjustment({ description, value }: Of<"adjust">): Recipe {
	const described = new RegExp(`${escapePattern(description)}(?!\\w)`);
	return {
		subject: description,
		searches: [escapePattern(description)],
		hints: [],
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
		hints: [],
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
