/** The figures of runs, and the report over all of them: a row per condition, with mean and spread over its seeds. */
import { type PriceList, priceCall, requestSeconds } from "#replay/metrics";
import { sum } from "#replay/recording";
import { markdownTable } from "#replay/report";
import { dollars, millions, percent, thousands, withSpread } from "../figures.ts";
import { describeDay, describeSurroundings, type Machine } from "../surroundings.ts";
import type { Condition } from "./conditions.ts";
import type { Repair } from "./model-wrappers.ts";
import { PRICED, type Prices } from "./prices.ts";
import type { Difficulty, RunRecord } from "./run.ts";

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
	/** No provider refuses anything in this process. */
	readonly refused: 0;
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

export function summariseRun(run: RunRecord, prices: Prices): RunFigures {
	const { seed, tasks, condition, requests, results, reexplorations, repair } = run;
	const failed = results.filter(({ isSolved }) => !isSolved).map(({ id }) => id);
	const own = requests.filter(({ isSummary }) => !isSummary);
	const tokensProcessed = sum(requests.map(({ input }) => input));
	const costAt = (list: PriceList) => sum(requests.map((each) => priceCall(each, list)));
	return {
		...{ seed, tasks, solved: results.length - failed.length, requests: requests.length },
		summaries: requests.length - own.length,
		tokensProcessed,
		peakContext: own.reduce((peak, { input }) => Math.max(peak, input), 0),
		overBudget: own.filter(({ input }) => input > condition.budget).length,
		refused: 0,
		...{ reexplorations, repair },
		cachedShare: sum(requests.map(({ cached }) => cached)) / Math.max(1, tokensProcessed),
		cost: { anthropic: costAt(prices.anthropic), openai: costAt(prices.openai) },
		paid: null,
		wallSeconds: run.seconds,
		modeledSeconds: sum(requests.map(requestSeconds)),
		failed,
	};
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
		Pick<RunFigures, "cost" | "paid" | "modeledSeconds"> {
	readonly agent: "in-process";
	/** A field of the JSON contract: every request stands between other sentences. */
	readonly isTerse: false;
	readonly difficulty: Difficulty;
	/** Tokens that the answers have more on average than the worker needs. */
	readonly added: number;
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
	/** The surroundings; each list has one. */
	readonly dates: readonly string[];
	readonly commits: readonly string[];
	readonly machines: readonly Machine[];
	/** Names and versions of the programs and packages. */
	readonly versions: readonly string[];
	readonly conditions: readonly ConditionReport[];
}

type About = Pick<ConditionReport, "difficulty" | "added">;

/** Reports the runs of each condition on tasks of one kind. */
export async function makeReport(
	runs: ReadonlyMap<Condition, readonly RunFigures[]>,
	{ interrupted, ...about }: About & { readonly interrupted: boolean },
): Promise<SingleSessionReport> {
	const { date, commit, machine } = describeSurroundings();
	const { VERSION } = await import("@mariozechner/pi-coding-agent");
	const done = [...runs].filter(([, own]) => own.length > 0);
	return {
		...{ version: 3, interrupted, dates: [date], commits: [commit], machines: [machine] },
		versions: [`pi ${VERSION}`, `prices of ${PRICED.join(" and ")}`],
		conditions: done.map(([condition, own]) => reportCondition(condition, own, about)),
	};
}

function reportCondition(condition: Condition, runs: readonly RunFigures[], about: About): ConditionReport {
	const mean = (of: (run: RunFigures) => number) => sum(runs.map(of)) / runs.length;
	const deviation = (of: (run: RunFigures) => number) =>
		Math.sqrt(sum(runs.map((run) => (of(run) - mean(of)) ** 2)) / Math.max(1, runs.length - 1));
	// Object.fromEntries knows no literal keys.
	const byName = (names: typeof MEANS, of: typeof mean) =>
		Object.fromEntries(names.map((name) => [name, of((run) => run[name])])) as unknown as Means;
	return {
		...condition,
		...about,
		agent: "in-process",
		isTerse: false,
		runs,
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
	calls: ({ requests, spread }) => withSpread(requests, spread.requests),
	tokens: ({ tokensProcessed }) => millions(tokensProcessed),
	peak: ({ peakContext }) => String(peakContext),
	over: ({ overBudget }) => overBudget.toFixed(0),
	"re-explored": ({ reexplorations, spread }) => withSpread(reexplorations, spread.reexplorations),
	"repair, calls (tokens)"({ runs }) {
		const mean = (key: "requests" | "tokens") => sum(runs.map(({ repair }) => repair[key])) / runs.length;
		return `${mean("requests").toFixed(0)} (${thousands(mean("tokens"))})`;
	},
	cached: ({ cachedShare }) => percent(cachedShare, 1),
	Anthropic: ({ cost }) => dollars(cost.anthropic),
	OpenAI: ({ cost }) => dollars(cost.openai),
	"modeled minutes": ({ modeledSeconds }) => (modeledSeconds / 60).toFixed(0),
};

/** The report as Markdown. */
export function formatPage({ conditions, interrupted, ...report }: SingleSessionReport): readonly string[] {
	const [{ tasks = 0, difficulty = "normal", added = 0 } = {}] = conditions;
	const seeds = [...new Set(conditions.flatMap((condition) => condition.seeds))].toSorted((a, b) => a - b);
	return [
		`${tasks} ${difficulty} tasks in one session, answers ${added} tokens longer than needed, commit ${report.commits.join()}, seeds ${seeds.join(", ")}, ${report.versions.join(", ")}`,
		...report.machines.map(describeDay),
		...(interrupted ? ["Interrupted: only what was finished is here."] : []),
		"",
		...markdownTable([
			Object.keys(columns),
			...conditions.map((each) => Object.values(columns).map((cell) => cell(each))),
		]),
	];
}
