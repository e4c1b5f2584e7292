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
import { CwlError, loadTokenCounter } from "#pi";
import { markdownTable, sum } from "#replay";
import { createProgress, defineBench, percentile, readCount } from "../bench.ts";
import { today } from "../surroundings.ts";
import { makeQuestions, type Question, type Tree } from "./questions.ts";
import { createCountingTools, type Effort, ways } from "./ways.ts";

interface Answer extends Effort {
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

export const bench = defineBench({
	flags: {
		questions: {
			type: "string",
			default: "10",
			about: "of each kind: where something is defined, where it is used, what files of a name export",
		},
	},
	async run({ values, signal }) {
		const trees = await Promise.all(SOURCES.map(readTree));
		const files: Tree = new Map(trees.flatMap((tree) => tree.files).sort(([a], [b]) => (a < b ? -1 : 1)));
		const questions = makeQuestions(files, readCount("questions", values.questions));
		const root = await mkdtemp(join(tmpdir(), "cwl-search-"));
		try {
			execFileSync("git", ["init", "--quiet", "--template=", root]);
			await writeFiles(root, new Map([...files, [".gitignore", "build/\n"]]));
			const bare = await answerAll(root, questions, signal);
			// A build folder in its usual place: git ignores it, the shell's grep does not.
			await writeFiles(root, new Map([...files].map(([path, text]) => [`build/${path}`, text])));
			const built = await answerAll(root, questions, signal);
			const sources = trees.map(({ version }) => version);
			const report: SearchReport = { version: 1, date: today(), sources, files: files.size, bare, built };
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
	signal: AbortSignal,
): Promise<readonly Answer[]> {
	const count = await loadTokenCounter();
	const answers: Answer[] = [];
	const progress = createProgress(questions.length, "questions");
	for (const [index, question] of questions.entries()) {
		if (signal.aborted) break;
		for (const way of ways) {
			const tools = createCountingTools(root, count);
			await way.answer(question, tools);
			const seen = tools.seen().join("\n");
			const isAnswered = question.answer.every(
				({ path, lines }) => seen.includes(path) && lines.every((line) => seen.includes(line.trim())),
			);
			const about = question.type === "exports" ? question.word : question.symbol;
			answers.push({ way: way.name, type: question.type, about, isAnswered, ...tools.effort() });
		}
		progress(index + 1);
	}
	return answers;
}

const kinds: Readonly<Record<Question["type"], string>> = {
	definition: "where is it defined, and how",
	uses: "where is it used",
	exports: "what do files of this name export",
};

/** As Markdown. Ends with a newline. */
function formatSearchReport({ date, sources, files, bare, built }: SearchReport): string {
	const lines = [
		`${date}; ${files} files of ${sources.join(", ")}`,
		"Tokens (o200k) of calls and results, medians over the questions; x: by ours. Steps: messages of the model, mean.",
		...formatTree("source alone", bare),
		...formatTree("with an ignored build folder", built),
	];
	return `${lines.join("\n")}\n`;
}

function formatTree(name: string, answers: readonly Answer[]): readonly string[] {
	const median = (values: readonly number[]) => percentile(values, 0.5) ?? Number.NaN;
	const rows = [...new Set(answers.map(({ type }) => type))].flatMap((type) =>
		formatKind(
			kinds[type],
			answers.filter((answer) => answer.type === type),
			median,
		),
	);
	const head = ["", "questions", "answered", "tokens", "x", "steps"];
	const all = formatKind("all questions, tokens summed", answers, sum);
	return ["", `### ${name}`, "", ...markdownTable([head, ...rows, ...all])];
}

function formatKind(
	name: string,
	answers: readonly Answer[],
	total: (values: readonly number[]) => number,
): readonly (readonly string[])[] {
	const names = [...new Set(answers.map(({ way }) => way))];
	const tokensOf = (way: string | undefined) =>
		total(answers.filter((answer) => answer.way === way).map(({ tokens }) => tokens));
	return names.map((way) => {
		const own = answers.filter((answer) => answer.way === way);
		return [
			`${name}: ${way}`,
			String(own.length),
			String(own.filter(({ isAnswered }) => isAnswered).length),
			String(Math.round(tokensOf(way))),
			(tokensOf(way) / tokensOf(names.at(-1))).toFixed(1),
			(sum(own.map(({ steps }) => steps)) / own.length).toFixed(1),
		];
	});
}
