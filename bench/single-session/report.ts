/** The figures of runs, kept in a folder between calls, and the report over all of them: a row per condition, with mean and spread over its seeds. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CwlError } from "#pi";
import { isFields, loadModelPrices, type PriceList, priceCall, requestSeconds } from "#replay";
import type { Machine } from "../surroundings.ts";
import type { Condition } from "./conditions.ts";
import type { Repair } from "./exploration.ts";
import type { Difficulty, RequestFigure, RunRecord } from "./run.ts";

/** Dollars by kind of provider. */
interface Cost {
	readonly anthropic: number;
	readonly openai: number;
}

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
	readonly cost: Cost;
	/** A scripted model sends no bill. */
	readonly paid: null;
	readonly wallSeconds: number;
	/** The time that a model would have taken over the requests (`requestSeconds`). */
	readonly modeledSeconds: number;
	/** The ids of unsolved tasks. */
	readonly failed: readonly string[];
}

export interface Prices {
	readonly anthropic: PriceList;
	readonly openai: PriceList;
}

/** The models whose list prices apply to the traffic of a scripted model. */
export const PRICED = ["anthropic/claude-sonnet-4-6", "openai/gpt-5.4"];

/** @throws CwlError `no-price` */
export async function loadPrices(): Promise<Prices> {
	const [anthropic, openai] = await loadModelPrices(PRICED);
	if (!anthropic || !openai) throw new CwlError("no-price", `no prices for ${PRICED.join(" and ")}.`);
	return { anthropic, openai };
}

export function summariseRun(run: RunRecord, prices: Prices): RunFigures {
	const { condition, requests, results } = run;
	const failed = results.filter(({ isSolved }) => !isSolved).map(({ id }) => id);
	const own = requests.filter(({ isSummary }) => !isSummary);
	const tokensProcessed = total(requests, ({ tokens }) => tokens);
	const cached = total(requests, ({ cachedTokens }) => cachedTokens);
	return {
		seed: run.seed,
		tasks: run.tasks,
		solved: results.length - failed.length,
		requests: requests.length,
		summaries: requests.length - own.length,
		tokensProcessed,
		peakContext: own.reduce((peak, { tokens }) => Math.max(peak, tokens), 0),
		overBudget: own.filter(({ tokens }) => tokens > condition.budget).length,
		refused: requests.filter(({ isRefused }) => isRefused).length,
		reexplorations: run.reexplorations,
		repair: run.repair,
		cachedShare: tokensProcessed === 0 ? 0 : cached / tokensProcessed,
		cost: {
			anthropic: total(requests, (each) => price(each, each.cachedTokens, prices.anthropic)),
			openai: total(requests, (each) => price(each, each.prefixTokens, prices.openai)),
		},
		paid: null,
		wallSeconds: run.seconds,
		modeledSeconds: total(requests, ({ tokens, cachedTokens, outputTokens }) =>
			requestSeconds({ input: tokens, cached: cachedTokens, output: outputTokens }),
		),
		failed,
	};
}

function price({ tokens, outputTokens }: RequestFigure, cached: number, list: PriceList): number {
	return priceCall({ input: tokens, cached, output: outputTokens }, list);
}

function total<T>(items: readonly T[], of: (item: T) => number): number {
	return items.reduce((sum, item) => sum + of(item), 0);
}

/** The description and figures of one run. */
export interface KeptRun {
	readonly version: 3;
	/** The day on which it ran. */
	readonly date: string;
	/** The commit of this project, with `+` for uncommitted changes. */
	readonly commit: string;
	readonly machine: Machine;
	/** Names and versions of the programs and packages. */
	readonly versions: readonly string[];
	/** The agent: `pi` or `in-process`. */
	readonly agent: string;
	/** A field of the JSON contract: every request stands between other sentences. */
	readonly isTerse: false;
	readonly difficulty: Difficulty;
	readonly condition: Condition;
	readonly figures: RunFigures;
}

/** The identity of a run: everything except time and machine. */
type RunName = Pick<KeptRun, "agent" | "difficulty" | "condition"> & {
	readonly tasks: number;
	readonly seed: number;
};

function nameRun({ agent, difficulty, condition, tasks, seed }: RunName): string {
	const settings = difficulty === "normal" ? [] : [difficulty];
	const parts = [condition.name, agent, `${tasks}-tasks`, ...settings, `seed-${seed}`];
	return parts.join("_").replace(/[^\w.-]+/g, "-");
}

/** Keeps finished runs in a folder, one file each, so that a long comparison can be interrupted and continued. */
export async function keepRun(directory: string, run: KeptRun): Promise<void> {
	await mkdir(directory, { recursive: true });
	const { tasks, seed } = run.figures;
	const path = join(directory, `${nameRun({ ...run, tasks, seed })}.json`);
	await writeFile(path, `${JSON.stringify(run, undefined, "\t")}\n`);
}

/** Undefined if this run is not in the folder. @throws CwlError `bad-run` naming the file */
export async function readKeptRun(directory: string, name: RunName): Promise<KeptRun | undefined> {
	const path = join(directory, `${nameRun(name)}.json`);
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

/** Figures for which a report shows the spread between seeds. */
const SPREAD = [
	"solved",
	"requests",
	"tokensProcessed",
	"reexplorations",
	"cachedShare",
	"wallSeconds",
] as const satisfies readonly (keyof RunFigures)[];
/** Figures for which a report shows the mean over seeds. */
const MEANS = [...SPREAD, "tasks", "overBudget", "refused"] as const satisfies readonly (keyof RunFigures)[];

/** Means over seeds; sizes in tokens, costs in dollars. */
export interface ConditionReport extends Condition, Readonly<Record<(typeof MEANS)[number], number>> {
	/** `pi` or `in-process`. */
	readonly agent: string;
	readonly isTerse: false;
	readonly difficulty: Difficulty;
	readonly seeds: readonly number[];
	readonly cost: Cost;
	readonly paid: null;
	readonly modeledSeconds: number;
	/** The maximum over all seeds. */
	readonly peakContext: number;
	/** Standard deviations between seeds. */
	readonly spread: Readonly<Record<(typeof SPREAD)[number], number>>;
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
	const conditions = distinct(runs.map(({ condition }) => condition.name));
	return {
		version: 3,
		interrupted,
		dates: dates.length > 1 ? [dates[0] ?? "", dates.at(-1) ?? ""] : dates,
		commits: distinct(runs.map(({ commit }) => commit)),
		machines: distinct(runs.map(({ machine }) => machine)),
		versions: distinct(runs.flatMap(({ versions }) => versions)),
		conditions: conditions.flatMap((name) => {
			const [first, ...rest] = runs.filter(({ condition }) => condition.name === name);
			return first ? reportCondition(first, [first, ...rest]) : [];
		}),
	};
}

function distinct<T>(values: readonly T[]): readonly T[] {
	return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

function reportCondition(first: KeptRun, group: readonly KeptRun[]): ConditionReport {
	const runs = group.map(({ figures }) => figures);
	const mean = (of: (run: RunFigures) => number) => total(runs, of) / runs.length;
	const deviation = (of: (run: RunFigures) => number) =>
		Math.sqrt(total(runs, (run) => (of(run) - mean(of)) ** 2) / Math.max(1, runs.length - 1));
	const { condition, agent, isTerse, difficulty } = first;
	return {
		...{ ...condition, agent, isTerse, difficulty, runs },
		seeds: runs.map(({ seed }) => seed),
		...byName(MEANS, (name) => mean((run) => run[name])),
		peakContext: Math.max(...runs.map((run) => run.peakContext)),
		cost: {
			anthropic: mean(({ cost }) => cost.anthropic),
			openai: mean(({ cost }) => cost.openai),
		},
		paid: null,
		modeledSeconds: mean(({ modeledSeconds }) => modeledSeconds),
		spread: byName(SPREAD, (name) => deviation((run) => run[name])),
	};
}

function byName<Name extends string>(
	names: readonly Name[],
	of: (name: Name) => number,
): Record<Name, number> {
	// Object.fromEntries knows no literal keys.
	return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, number>;
}
