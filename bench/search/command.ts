/**
 * `npm run bench -- search`: compares the tokens that four ways of working need to answer the same questions about
 * real source, that of packages which this project needs for its development. The ways are scripts: docs/results.md
 * says what the figures show.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CwlError } from "#pi";
import { loadTokenCounter } from "#pi/codec";
import { sum } from "#replay/recording";
import { markdownTable } from "#replay/report";
import { git } from "#testing/worker";
import { count, defineBench, forEachStep, inNewFolder, median } from "../bench.ts";
import { PROJECT } from "../pi-host.ts";
import { today } from "../surroundings.ts";
import { answerTo, kinds, listQuestions, type Question, type Tree, ways, work } from "./ways.ts";

interface Answer extends Question, Omit<Awaited<ReturnType<typeof work>>, "seen"> {
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
		questions: count(
			"10",
			"of each kind, at most 10: where something is defined or used, what files of a name export",
		),
	},
	run: ({ values, signal }) =>
		inNewFolder(async (root) => {
			const trees = await Promise.all(SOURCES.map(readTree));
			const files: Tree = new Map(trees.flatMap((tree) => tree.files).sort(([a], [b]) => (a < b ? -1 : 1)));
			await git(root, "init", "--quiet", "--template=");
			for (const [path, text] of files) {
				await mkdir(dirname(join(root, path)), { recursive: true });
				await writeFile(join(root, path), text);
			}
			const tokenizer = await loadTokenCounter();
			const bare: Answer[] = [];
			await forEachStep(listQuestions(values.questions), "questions", signal, async (question) => {
				for (const [name, way] of Object.entries(ways)) {
					const { seen, ...effort } = await work(way, question, root, tokenizer);
					const isAnswered = answerTo(question, files).every(
						({ path, lines }) => seen.includes(path) && lines.every((line) => seen.includes(line.trim())),
					);
					bare.push({ way: name, ...question, isAnswered, ...effort });
				}
			});
			const sources = trees.map(({ version }) => version);
			const report: SearchReport = { version: 1, date: today(), sources, files: files.size, bare };
			return { figures: report, lines: () => formatReport(report) };
		}),
});

/** A package, its folder of readable source, and its folder in the tree. */
const SOURCES = [
	{ name: "undici", folder: "lib", as: "undici/lib" },
	{ name: "yaml", folder: "dist", as: "yaml/lib" },
	{ name: "openai", folder: "src", as: "openai/src" },
	{ name: "@anthropic-ai/sdk", folder: "src", as: "anthropic/src" },
] as const;

/** The text of a package by path in the tree. @throws CwlError `no-sources` if it is not installed */
async function readTree({ name, folder, as }: (typeof SOURCES)[number]) {
	const directory = join(PROJECT, "node_modules", name);
	const manifest = await readFile(join(directory, "package.json"), "utf8").catch(() => {
		throw new CwlError(
			"no-sources",
			`the questions are about the source of ${name}, which is not installed here: run npm ci in a clone.`,
		);
	});
	const { version }: { version?: string } = JSON.parse(manifest);
	const names = await readdir(join(directory, folder), { recursive: true });
	const paths = names.filter((path) => /(?<!\.d)\.(js|ts)$/.test(path));
	const files = await Promise.all(
		paths.map(async (path) => {
			return [`packages/${as}/${path}`, await readFile(join(directory, folder, path), "utf8")] as const;
		}),
	);
	return { files, version: `${name} ${version}` };
}

/** As Markdown. */
function formatReport({ date, sources, files, bare }: SearchReport): readonly string[] {
	const parts = [
		...Object.entries(kinds).map(([type, words]) => ({ words, type, total: median })),
		{ words: "all questions, tokens summed", type: undefined, total: sum },
	];
	const rows = parts.flatMap(({ words, type, total }) => {
		const byWay = Object.keys(ways).map((name) => {
			const own = bare.filter(({ way, ...asked }) => way === name && (type ?? asked.type) === asked.type);
			return { name, own, tokens: total(own.map(({ tokens }) => tokens)) };
		});
		return byWay.map(({ name, own, tokens }) => [
			...[`${words}: ${name}`, String(own.length), String(own.filter(({ isAnswered }) => isAnswered).length)],
			...[String(Math.round(tokens)), (tokens / (byWay.at(-1)?.tokens ?? 1)).toFixed(1)],
			(sum(own.map(({ steps }) => steps)) / own.length).toFixed(1),
		]);
	});
	return [
		`${date}; ${files} files of ${sources.join(", ")}`,
		"Tokens (o200k) of calls and results, medians over the questions; x: by ours. Steps: messages of the model, mean.",
		"",
		...markdownTable([["", "questions", "answered", "tokens", "x", "steps"], ...rows]),
	];
}
