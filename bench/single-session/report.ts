/** The figures of runs, kept in a folder between calls, and the report over all of them: a row per condition, with mean and spread over its seeds. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CwlError } from "#pi";
import { loadModelPrices, type PriceList, priceCall, requestSeconds } from "#replay/metrics";
import { isFields } from "#replay/readers";
import { sum } from "#replay/recording";
import { markdownTable } from "#replay/report";
import type { Machine, Surroundings } from "../surroundings.ts";
import type { Condition } from "./conditions.ts";
import type { Repair } from "./model-wrappers.ts";
import type { Difficulty, RequestFigure, RunRecord } from "./run.ts";

/** One condition on one seed; sizes in tokens. */
export interface RunFigures {
	readonly seed: number;
	readonly tasks: number;
	readonly solved: number;
	readonly requests: number;
	/** Calls that pi made for summaries, which all other figures include. */
	readonly summaries: number;
	readonly tokensProcessed: number;
	readonly peakContext: number;
	/** Requests above the budget, without those for summaries. */
	readonly overBudget: number;
	readonly refused: number;
	/** Reads and searches of unchanged content that repeat an earlier one. */
	readonly reexplorations: number;
	/** The calls that fetched content back. */
	readonly repair: Repair;
	/** Share of the tokens processed that Anthropic's cache served. */
	readonly cachedShare: number;
	/** Dollars by kind of provider. */
	readonly cost: Readonly<Record<keyof Prices, number>>;
	/** A scripted model sends no bill. */
	readonly paid: null;
	readonly wallSeconds: number;
	/** The time that a model would have taken over the requests (`requestSeconds`). */
	readonly modeledSeconds: number;
	/** The ids of unsolved tasks. */
	readonly failed: readonly string[];
}

export type Prices = Readonly<Record<"anthropic" | "openai", PriceList>>;

/** The models whose list prices apply to the traffic of a scripted model. */
export const PRICED = ["anthropic/claude-sonnet-4-6", "openai/gpt-5.4"] as const;

/** `first`: the model in place of the first of these. @throws CwlError `no-price` */
export async function loadPrices(first: string = PRICED[0]): Promise<Prices> {
	const [anthropic, openai] = await loadModelPrices([first, PRICED[1]]);
	if (!anthropic || !openai) throw new CwlError("no-price", `no prices for ${first} and ${PRICED[1]}.`);
	return { anthropic, openai };
}

export function summariseRun(run: RunRecord, prices: Prices): RunFigures {
	const { seed, tasks, condition, requests, results, reexplorations, repair } = run;
	const failed = results.filter(({ isSolved }) => !isSolved).map(({ id }) => id);
	const own = requests.filter(({ isSummary }) => !isSummary);
	const tokensProcessed = sum(requests.map(({ tokens }) => tokens));
	const callOf = ({ tokens, outputTokens }: RequestFigure, cached: number) => ({
		...{ input: tokens, cached, output: outputTokens },
	});
	return {
		...{ seed, tasks, solved: results.length - failed.length, requests: requests.length },
		summaries: requests.length - own.length,
		tokensProcessed,
		peakContext: own.reduce((peak, { tokens }) => Math.max(peak, tokens), 0),
		overBudget: own.filter(({ tokens }) => tokens > condition.budget).length,
		refused: requests.filter(({ isRefused }) => isRefused).length,
		...{ reexplorations, repair },
		cachedShare: sum(requests.map(({ cachedTokens }) => cachedTokens)) / Math.max(1, tokensProcessed),
		cost: {
			anthropic: sum(requests.map((each) => priceCall(callOf(each, each.cachedTokens), prices.anthropic))),
			openai: sum(requests.map((each) => priceCall(callOf(each, each.prefixTokens), prices.openai))),
		},
		paid: null,
		wallSeconds: run.seconds,
		modeledSeconds: sum(requests.map((each) => requestSeconds(callOf(each, each.cachedTokens)))),
		failed,
	};
}

/** The identity of a run: everything except time and machine. */
interface RunName {
	/** The agent: `pi` or `in-process`. */
	readonly agent: string;
	readonly difficulty: Difficulty;
	readonly condition: Condition;
}

/** Description and figures of one run. */
export interface KeptRun extends RunName, Surroundings {
	readonly version: 3;
	/** Names and versions of the programs and packages. */
	readonly versions: readonly string[];
	/** A field of the JSON contract: every request stands between other sentences. */
	readonly isTerse: false;
	readonly figures: RunFigures;
}

function pathOf(directory: string, { agent, difficulty, condition }: RunName, tasks: number, seed: number) {
	const settings = difficulty === "normal" ? [] : [difficulty];
	const parts = [condition.name, agent, `${tasks}-tasks`, ...settings, `seed-${seed}`];
	return join(directory, `${parts.join("_").replace(/[^\w.-]+/g, "-")}.json`);
}

/** Keeps finished runs in a folder, one file each, so that a long comparison can be interrupted and continued. */
export async function keepRun(directory: string, run: KeptRun): Promise<void> {
	await mkdir(directory, { recursive: true });
	const path = pathOf(directory, run, run.figures.tasks, run.figures.seed);
	await writeFile(path, `${JSON.stringify(run, undefined, "\t")}\n`);
}

/** Undefined if this run is not in the folder. @throws CwlError `bad-run` naming the file */
export async function readKeptRun(
	directory: string,
	{ tasks, seed, ...name }: RunName & { readonly tasks: number; readonly seed: number },
): Promise<KeptRun | undefined> {
	const path = pathOf(directory, name, tasks, seed);
	const text = await readFile(path, "utf8").catch(() => undefined);
	if (text === undefined) return undefined;
	try {
		const run: unknown = JSON.parse(text);
		if (isRun(run)) return run;
	} catch {
		// The error below covers this file as well.
	}
	throw new CwlError("bad-run", `${path} holds no run of version 3: remove it, and it is run again.`);
}

function isRun(value: unknown): value is KeptRun {
	return isFields(value) && value.version === 3 && "figures" in value;
}

/** Figures for which a report shows the mean over seeds; the first six of them also the spread. */
const MEANS = [
	...(["solved", "requests", "tokensProcessed", "reexplorations", "cachedShare", "wallSeconds"] as const),
	...(["tasks", "overBudget", "refused"] as const),
];
const SPREAD = MEANS.slice(0, 6);

type Means = Readonly<Record<(typeof MEANS)[number], number>>;

/** Means over seeds; sizes in tokens, costs in dollars. */
export interface ConditionReport
	extends Condition,
		Means,
		Pick<KeptRun, "agent" | "isTerse" | "difficulty">,
		Pick<RunFigures, "cost" | "paid" | "modeledSeconds"> {
	readonly seeds: readonly number[];
	/** The maximum over all seeds. */
	readonly peakContext: number;
	/** Standard deviations between seeds. */
	readonly spread: Means;
	readonly runs: readonly RunFigures[];
}

export interface SingleSessionReport {
	readonly version: 3;
	readonly interrupted: boolean;
	/** The first and the last day of the runs. */
	readonly dates: readonly string[];
	readonly commits: readonly string[];
	readonly machines: readonly Machine[];
	readonly versions: readonly string[];
	readonly conditions: readonly ConditionReport[];
}

/** Reports runs of one agent on tasks of one kind. */
export function makeReport(runs: readonly KeptRun[], interrupted: boolean): SingleSessionReport {
	const dates = distinct(runs.map(({ date }) => date)).toSorted();
	const names = distinct(runs.map(({ condition }) => condition.name));
	return {
		version: 3,
		interrupted,
		dates: dates.length > 1 ? [dates[0] ?? "", dates.at(-1) ?? ""] : dates,
		commits: distinct(runs.map(({ commit }) => commit)),
		machines: distinct(runs.map(({ machine }) => machine)),
		versions: distinct(runs.flatMap(({ versions }) => versions)),
		conditions: names.map((name) => reportCondition(runs.filter(({ condition }) => condition.name === name))),
	};
}

function distinct<T>(values: readonly T[]): readonly T[] {
	return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

function reportCondition(group: readonly KeptRun[]): ConditionReport {
	const [first] = group;
	if (!first) throw new RangeError("a condition has at least one run");
	const runs = group.map(({ figures }) => figures);
	const mean = (of: (run: RunFigures) => number) => sum(runs.map(of)) / runs.length;
	const deviation = (of: (run: RunFigures) => number) =>
		Math.sqrt(sum(runs.map((run) => (of(run) - mean(of)) ** 2)) / Math.max(1, runs.length - 1));
	// Object.fromEntries knows no literal keys.
	const byName = (names: typeof MEANS, of: typeof mean) =>
		Object.fromEntries(names.map((name) => [name, of((run) => run[name])])) as unknown as Means;
	const { condition, agent, isTerse, difficulty } = first;
	return {
		...{ ...condition, agent, isTerse, difficulty, runs },
		seeds: runs.map(({ seed }) => seed),
		...byName(MEANS, mean),
		peakContext: Math.max(...runs.map((run) => run.peakContext)),
		cost: { anthropic: mean(({ cost }) => cost.anthropic), openai: mean(({ cost }) => cost.openai) },
		paid: null,
		modeledSeconds: mean(({ modeledSeconds }) => modeledSeconds),
		spread: byName(SPREAD, deviation),
	};
}

const columns: Readonly<Record<string, (condition: ConditionReport) => string>> = {
	condition: ({ name }) => name,
	seeds: ({ seeds }) => String(seeds.length),
	solved: ({ solved, tasks, spread }) => `${withSpread(solved, spread.solved)} of ${tasks}`,
	requests: ({ requests, spread }) => withSpread(requests, spread.requests),
	tokens: ({ tokensProcessed, spread }) =>
		`${withSpread(tokensProcessed / 1e6, spread.tokensProcessed / 1e6, 1)}M`,
	peak: ({ peakContext }) => String(peakContext),
	over: ({ overBudget }) => overBudget.toFixed(0),
	refused: ({ refused }) => refused.toFixed(0),
	"re-explored": ({ reexplorations, spread }) => withSpread(reexplorations, spread.reexplorations),
	"repair, calls (tokens)"({ runs }) {
		const mean = (of: (repair: Repair) => number) => sum(runs.map(({ repair }) => of(repair))) / runs.length;
		return `${mean(({ requests }) => requests).toFixed(0)} (${(mean(({ tokens }) => tokens) / 1_000).toFixed(0)}k)`;
	},
	cached: ({ cachedShare }) => `${(100 * cachedShare).toFixed(1)} %`,
	Anthropic: ({ cost }) => `$${cost.anthropic.toFixed(2)}`,
	OpenAI: ({ cost }) => `$${cost.openai.toFixed(2)}`,
	"model min": ({ modeledSeconds }) => (modeledSeconds / 60).toFixed(0),
	minutes: ({ wallSeconds }) => (wallSeconds / 60).toFixed(1),
};

function withSpread(
	mean: number,
	deviation: number,
	digits = Number.isInteger(mean) && deviation === 0 ? 0 : deviation < 10 ? 1 : 0,
): string {
	return deviation === 0 ? mean.toFixed(digits) : `${mean.toFixed(digits)} ± ${deviation.toFixed(digits)}`;
}

const AGENTS: Readonly<Record<string, string>> = {
	pi: "through the real pi over HTTP",
	"in-process": "in process",
};

/** The report as Markdown. Ends with a newline. */
export function formatPage(report: SingleSessionReport): string {
	const { conditions, machines } = report;
	const [{ agent = "", tasks = 0, difficulty = "normal" } = {}] = conditions;
	const kind = `${difficulty === "normal" ? "" : `${difficulty} `}tasks`;
	const seeds = distinct(conditions.flatMap((condition) => condition.seeds)).toSorted((a, b) => a - b);
	const lines = [
		`# ${conditions.length === 0 ? "One session for all tasks" : `${tasks} ${kind} ${AGENTS[agent] ?? `with ${agent}`}`}`,
		"",
		"Made by `npm run bench -- single-session`; what it does, how to read it and what it does not show: bench/README.md.",
		"",
		`- ${report.dates.join(" to ")}, commit ${report.commits.join(", ")}, seeds ${seeds.join(", ")}`,
		...machines.map((one) => {
			return `- ${one.cpu}, ${one.cores} cores, ${one.memory} GiB, ${one.system}, Node ${one.node}`;
		}),
		`- ${report.versions.join(", ")}`,
		...(report.interrupted ? ["- interrupted: only what was finished is here"] : []),
		"",
		...markdownTable([
			Object.keys(columns),
			...conditions.map((each) => Object.values(columns).map((cell) => cell(each))),
		]),
	];
	return `${lines.join("\n")}\n`;
}
