/**
 * `npm run bench -- search`: compares the tokens that four ways of working need to answer the same questions about
 * real source, that of packages which this project needs for its development. The ways are scripts: docs/results.md
 * says what the figures show.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { CwlError } from "#pi";
import { loadTokenCounter } from "#pi/codec";
import { sum } from "#replay/recording";
import { markdownTable } from "#replay/report";
import { defineBench, forEachStep, median, readCount } from "../bench.ts";
import { today } from "../surroundings.ts";
import {
	answerTo,
	createCountingTools,
	type Effort,
	kinds,
	listQuestions,
	type Question,
	type Tree,
	ways,
} from "./ways.ts";

interface Answer extends Effort, Question {
	readonly way: string;
	/** True if every line of the answer was seen. */
	readonly isAnswered: boolean;
}

export interface SearchReport {
	readonly version: 1;
	readonly date: string;
	/** Packages and versions. */
	readonly sources: readonly string[];
	readonly files: number;
	readonly bare: readonly Answer[];
}

export const bench = defineBench({
	flags: {
		questions: {
			type: "string",
			default: "10",
			about: "of each kind, at most 10: where something is defined or used, what files of a name export",
		},
	},
	async run({ values, signal }) {
		const trees = await Promise.all(SOURCES.map(readTree));
		const files: Tree = new Map(trees.flatMap((tree) => tree.files).sort(([a], [b]) => (a < b ? -1 : 1)));
		const questions = listQuestions(readCount("questions", values.questions));
		const root = await mkdtemp(join(tmpdir(), "cwl-search-"));
		try {
			execFileSync("git", ["init", "--quiet", "--template=", root]);
			await writeFiles(root, files);
			const bare = await answerAll(root, questions, files, signal);
			const sources = trees.map(({ version }) => version);
			const report: SearchReport = { version: 1, date: today(), sources, files: files.size, bare };
			return { figures: report, text: () => formatSearchReport(report) };
		} finally {
			await rm(root, { recursive: true, force: true });
		}
	},
});

/** A package, its folder of readable source, and its folder in the tree. */
const SOURCES = [
	{ name: "undici", folder: "lib", as: "undici/lib" },
	{ name: "yaml", folder: "dist", as: "yaml/lib" },
	{ name: "openai", folder: "src", as: "openai/src" },
	{ name: "@anthropic-ai/sdk", folder: "src", as: "anthropic/src" },
] as const;
const CODE = /\.(js|ts)$/;
const DECLARATIONS = /\.d\.ts$/;

/** The text of a package by path in the tree. @throws CwlError `no-sources` if it is not installed */
async function readTree({ name, folder, as }: (typeof SOURCES)[number]) {
	const roots = createRequire(import.meta.url).resolve.paths(name) ?? [];
	const directory = roots.map((root) => join(root, name)).find((path) => existsSync(path));
	if (directory === undefined) {
		throw new CwlError(
			"no-sources",
			`the questions are about the source of ${name}, which is not installed here: run npm ci in a clone.`,
		);
	}
	const manifest: { version?: string } = JSON.parse(await readFile(join(directory, "package.json"), "utf8"));
	const names = await readdir(join(directory, folder), { recursive: true });
	const paths = names.filter((path) => CODE.test(path) && !DECLARATIONS.test(path));
	const files = await Promise.all(
		paths.map(async (path): Promise<readonly [string, string]> => {
			const text = await readFile(join(directory, folder, path), "utf8");
			return [`packages/${as}/${path.replaceAll("\\", "/")}`, text];
		}),
	);
	return { files, version: `${name} ${manifest.version ?? "unknown"}` };
}

async function writeFiles(root: string, files: Tree): Promise<void> {
	for (const [path, text] of files) {
		await mkdir(dirname(join(root, path)), { recursive: true });
		await writeFile(join(root, path), text);
	}
}

async function answerAll(
	root: string,
	questions: readonly Question[],
	files: Tree,
	signal: AbortSignal,
): Promise<readonly Answer[]> {
	const count = await loadTokenCounter();
	const answers: Answer[] = [];
	await forEachStep(questions, "questions", signal, async (question) => {
		for (const [way, answer] of Object.entries(ways)) {
			const tools = createCountingTools(root, count);
			await answer(question, tools);
			const seen = tools.seen().join("\n");
			const isAnswered = answerTo(question, files).every(
				({ path, lines }) => seen.includes(path) && lines.every((line) => seen.includes(line.trim())),
			);
			answers.push({ way, ...question, isAnswered, ...tools.effort() });
		}
	});
	return answers;
}

/** As Markdown. Ends with a newline. */
function formatSearchReport({ date, sources, files, bare }: SearchReport): string {
	const lines = [
		`${date}; ${files} files of ${sources.join(", ")}`,
		"Tokens (o200k) of calls and results, medians over the questions; x: by ours. Steps: messages of the model, mean.",
		"",
		...formatAnswers(bare),
	];
	return `${lines.join("\n")}\n`;
}

function formatAnswers(answers: readonly Answer[]): readonly string[] {
	const parts = [
		...Object.entries(kinds).map(([type, words]) => ({
			words,
			answers: answers.filter((answer) => answer.type === type),
			total: median,
		})),
		{ words: "all questions, tokens summed", answers, total: sum },
	];
	const rows = parts.flatMap((part) => {
		const byWay = Object.keys(ways).map((way) => {
			const own = part.answers.filter((answer) => answer.way === way);
			return { way, own, tokens: part.total(own.map(({ tokens }) => tokens)) };
		});
		return byWay.map(({ way, own, tokens }) => [
			`${part.words}: ${way}`,
			String(own.length),
			String(own.filter(({ isAnswered }) => isAnswered).length),
			String(Math.round(tokens)),
			(tokens / (byWay.at(-1)?.tokens ?? Number.NaN)).toFixed(1),
			(sum(own.map(({ steps }) => steps)) / own.length).toFixed(1),
		]);
	});
	const head = ["", "questions", "answered", "tokens", "x", "steps"];
	return markdownTable([head, ...rows]);
}
