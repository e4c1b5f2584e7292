/** The figures of `npm run bench -- search`, for people and for programs. */
import { markdownTable } from "#replay";
import { percentile } from "../percentile.ts";
import type { Effort } from "./counting-tools.ts";
import type { Question } from "./questions.ts";

export interface Answer extends Effort {
	readonly way: string;
	readonly type: Question["type"];
	/** The symbol or word in question. */
	readonly about: string;
	/** True if every line of the answer was seen. */
	readonly isAnswered: boolean;
}

export interface SearchReport {
	readonly version: 1;
	readonly date: string;
	/** Packages and versions. */
	readonly sources: readonly string[];
	readonly files: number;
	/** In a tree of source alone. */
	readonly bare: readonly Answer[];
	/** With a copy of it in an ignored build folder. */
	readonly built: readonly Answer[];
}

const kinds: Readonly<Record<Question["type"], string>> = {
	definition: "where is it defined, and how",
	uses: "where is it used",
	exports: "what do files of this name export",
};

/** As Markdown. Ends with a newline. */
export function formatSearchReport({ date, sources, files, bare, built }: SearchReport): string {
	const lines = [
		`${date}; ${files} files of ${sources.join(", ")}`,
		"Tokens (o200k) of calls and results, medians over the questions; x: by ours. Steps: messages of the model, mean.",
		...formatTree("source alone", bare),
		...formatTree("with an ignored build folder", built),
	];
	return `${lines.join("\n")}\n`;
}

function formatTree(name: string, answers: readonly Answer[]): readonly string[] {
	const types = [...new Set(answers.map(({ type }) => type))];
	const rows = types.flatMap((type) =>
		formatKind(
			kinds[type],
			answers.filter((answer) => answer.type === type),
		),
	);
	const head = ["", "questions", "answered", "tokens", "x", "steps"];
	const all = formatKind("all questions, tokens summed", answers, sum);
	return ["", `### ${name}`, "", ...markdownTable([head, ...rows, ...all])];
}

function formatKind(
	name: string,
	answers: readonly Answer[],
	total = median,
): readonly (readonly string[])[] {
	const names = [...new Set(answers.map(({ way }) => way))];
	const tokensOf = (way: string | undefined) =>
		total(answers.filter((answer) => answer.way === way).map(({ tokens }) => tokens));
	return names.map((way) => {
		const mine = answers.filter((answer) => answer.way === way);
		const steps = sum(mine.map((answer) => answer.steps)) / mine.length;
		return [
			`${name}: ${way}`,
			String(mine.length),
			String(mine.filter(({ isAnswered }) => isAnswered).length),
			String(Math.round(tokensOf(way))),
			(tokensOf(way) / tokensOf(names.at(-1))).toFixed(1),
			steps.toFixed(1),
		];
	});
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const median = (values: readonly number[]) => percentile(values, 0.5) ?? Number.NaN;
