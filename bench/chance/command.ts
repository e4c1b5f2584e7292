/** `npm run bench -- chance`: how often an output is needed again, by the engine's chance, and the odds that fit best. */
import { dirname } from "node:path";
import { oddsLaw } from "#core/planning";
import { CwlError } from "#pi";
import { loadTokenCounter } from "#pi/codec";
import { findSessionFiles, readSession } from "#replay/readers";
import { openRecording } from "#replay/recording";
import { markdownTable } from "#replay/report";
import { createReplayPrompt } from "#replay/run";
import { defineBench, forEachStep, optional } from "../bench.ts";
import { chanceUnder, fitLine, isNeeded, type Line, logLoss, splitByProject } from "./fit.ts";
import { type Pair, readPairs } from "./pairs.ts";

/** A need within so many messages is soon. */
const SOON = 30;
/** The engine's chance at which each row begins. */
const rowsFrom = [0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2];
const engineLine: Line = { scale: oddsLaw.scale, alone: 1, age: oddsLaw.age, edited: oddsLaw.edited };

export const bench = defineBench({
	positionals: "FOLDER...",
	flags: {
		until: optional("TEXT", "a file's name up to this text is its project; else the folder of its workspace"),
	},
	notes: "FOLDER has recorded sessions. A pair is an output that a session shows when a user turn begins.",
	async run({ values: { until }, positionals, signal }) {
		if (positionals.length === 0) throw new CwlError("no-sessions", "name folders of recorded sessions.");
		const tokenizer = await loadTokenCounter();
		const { fixed } = createReplayPrompt(tokenizer);
		const { places, problems } = await findSessionFiles(positionals);
		for (const { message } of problems) console.error(message);
		const pairs: Pair[] = [];
		await forEachStep(places, "sessions", signal, async ({ path }) => {
			const session = await readSession(path);
			const [named] = until === "" ? [] : session.name.split(until);
			const project = named ?? session.cwd ?? dirname(path);
			for (const pair of readPairs(openRecording(session, tokenizer), project, fixed)) pairs.push(pair);
			return `${pairs.length} pairs`;
		});
		const { fitted, judged } = splitByProject(pairs);
		if (judged.length === 0)
			throw new CwlError("one-project", "all pairs are of one project: name sessions of at least two.");
		const figures = measure(fitted, judged);
		return { figures, lines: () => describe(figures) };
	},
});

type Figures = ReturnType<typeof measure>;

function measure(fitted: readonly Pair[], judged: readonly Pair[]) {
	const pairs = [...fitted, ...judged];
	const line = fitLine(fitted);
	const known = fitted.filter(isNeeded).length / fitted.length;
	return {
		halves: { fitted: describeHalf(fitted), judged: describeHalf(judged) },
		seen: [
			...rowsFrom.map((from, i) => {
				const to = rowsFrom[i + 1] ?? 1;
				return { from, to, ...countNeeds(pairs.filter(({ chance }) => chance >= from && chance < to)) };
			}),
			{ from: 0, to: 1, ...countNeeds(pairs) },
		],
		lines: { fitted: line, engine: engineLine },
		logLoss: {
			fitted: logLoss(judged, (pair) => chanceUnder(line, pair)),
			engine: logLoss(judged, ({ chance }) => chance),
			"share only": logLoss(judged, () => known),
		},
	};
}

function describeHalf(pairs: readonly Pair[]) {
	return { pairs: pairs.length, projects: [...new Set(pairs.map(({ project }) => project))] };
}

function countNeeds(pairs: readonly Pair[]) {
	return {
		pairs: pairs.length,
		ever: share(pairs, isNeeded),
		soon: share(pairs, ({ neededIn = Infinity }) => neededIn < SOON),
		engine: mean(pairs.map(({ chance }) => chance)),
	};
}

const share = (pairs: readonly Pair[], has: (pair: Pair) => boolean): number | null =>
	mean(pairs.map((pair) => Number(has(pair))));

function mean(values: readonly number[]): number | null {
	return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function describe({ halves, seen, lines, logLoss }: Figures): readonly string[] {
	const { fitted, engine } = lines;
	const row = (name: string, line: Line, loss: number) => [
		name,
		...Object.values(line).map((weight) => weight.toFixed(2)),
		loss.toFixed(4),
	];
	const shown = (half: Figures["halves"]["fitted"]) => `${half.pairs} pairs of ${half.projects.join(", ")}`;
	return [
		"Outputs at the beginning of a user turn, and how many of them a later step needed, in %:",
		...markdownTable([
			["the engine's chance", "outputs", "needed ever", `within ${SOON} messages`, "mean chance"],
			...seen.map(({ from, to, pairs, ever, soon, engine: chance }) => [
				`${100 * from} to ${100 * to}`,
				String(pairs),
				...[ever, soon, chance].map(percent),
			]),
		]),
		"",
		`The odds are scale x alone ^ a / (age ^ b x edited ^ c) in tokens, fitted on ${shown(halves.fitted)}, judged on ${shown(halves.judged)}:`,
		...markdownTable([
			["line", ...Object.keys(fitted), "log loss"],
			row("fitted", fitted, logLoss.fitted),
			row("engine", engine, logLoss.engine),
		]),
		`With the share of the first half alone the log loss is ${logLoss["share only"].toFixed(4)}.`,
	];
}

const percent = (value: number | null): string => (value === null ? "-" : (100 * value).toFixed(1));
