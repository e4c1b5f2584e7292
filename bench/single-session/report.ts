/** The runs of a comparison as one report: a row per condition, with mean and spread over its seeds. */
import type { Machine } from "../machine.ts";
import type { Condition } from "./conditions.ts";
import { type Cost, type RunFigures, spreadOf } from "./figures.ts";
import { type KeptRun, nameRun } from "./kept-runs.ts";

/** Means over seeds; sizes in tokens, costs in dollars. */
export interface ConditionReport extends Condition {
	/** `pi`, `in-process`, or a real model's name. */
	readonly agent: string;
	readonly isTerse: boolean;
	readonly seeds: readonly number[];
	readonly tasks: number;
	readonly solved: number;
	readonly requests: number;
	readonly tokensProcessed: number;
	/** The maximum over all seeds. */
	readonly peakContext: number;
	readonly overBudget: number;
	readonly refused: number;
	readonly reexplorations: number;
	readonly cachedShare: number;
	readonly cost: Cost;
	readonly paid: number | null;
	readonly wallSeconds: number;
	/** Standard deviations between seeds. */
	readonly spread: {
		readonly solved: number;
		readonly requests: number;
		readonly tokensProcessed: number;
		readonly reexplorations: number;
		readonly cachedShare: number;
		readonly wallSeconds: number;
	};
	readonly runs: readonly RunFigures[];
}

export interface SingleSessionReport {
	readonly version: 1;
	readonly interrupted: boolean;
	/** The first and the last day of the runs. */
	readonly dates: readonly string[];
	readonly commits: readonly string[];
	readonly machines: readonly Machine[];
	readonly versions: readonly string[];
	readonly conditions: readonly ConditionReport[];
}

export function makeReport(runs: readonly KeptRun[], interrupted: boolean): SingleSessionReport {
	const dates = distinct(runs.map(({ date }) => date)).toSorted();
	return {
		version: 1,
		interrupted,
		dates: dates.length > 1 ? [dates[0] ?? "", dates.at(-1) ?? ""] : dates,
		commits: distinct(runs.map(({ commit }) => commit)),
		machines: distinct(runs.map(({ machine }) => machine)),
		versions: distinct(runs.flatMap(({ versions }) => versions)),
		conditions: groupRuns(runs).map(reportCondition),
	};
}

function distinct<T>(values: readonly T[]): readonly T[] {
	return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** Groups the runs that differ only in their seed, in the order of their first run. */
function groupRuns(runs: readonly KeptRun[]): readonly (readonly KeptRun[])[] {
	const groups = new Map<string, KeptRun[]>();
	for (const run of runs) {
		const key = nameRun({ ...run, tasks: run.figures.tasks, seed: 0 });
		groups.set(key, [...(groups.get(key) ?? []), run]);
	}
	return [...groups.values()];
}

function reportCondition(group: readonly KeptRun[]): ConditionReport {
	const [first] = group;
	if (!first) throw new RangeError("a group of runs has at least one");
	const runs = group.map(({ figures }) => figures);
	const mean = (of: (run: RunFigures) => number) => spreadOf(runs.map(of)).mean;
	const meanCost = (of: (run: RunFigures) => number | null) =>
		runs.some((run) => of(run) === null) ? null : mean((run) => of(run) ?? 0);
	const { condition, agent, isTerse } = first;
	return {
		...{ ...condition, agent, isTerse, runs },
		seeds: runs.map(({ seed }) => seed),
		tasks: mean(({ tasks }) => tasks),
		solved: mean(({ solved }) => solved),
		requests: mean(({ requests }) => requests),
		tokensProcessed: mean(({ tokensProcessed }) => tokensProcessed),
		peakContext: runs.reduce((peak, run) => Math.max(peak, run.peakContext), 0),
		overBudget: mean(({ overBudget }) => overBudget),
		refused: mean(({ refused }) => refused),
		reexplorations: mean(({ reexplorations }) => reexplorations),
		cachedShare: mean(({ cachedShare }) => cachedShare),
		cost: {
			anthropic: meanCost(({ cost }) => cost.anthropic),
			openai: meanCost(({ cost }) => cost.openai),
		},
		paid: meanCost(({ paid }) => paid),
		wallSeconds: mean(({ wallSeconds }) => wallSeconds),
		spread: {
			solved: deviationOf(runs, ({ solved }) => solved),
			requests: deviationOf(runs, ({ requests }) => requests),
			tokensProcessed: deviationOf(runs, ({ tokensProcessed }) => tokensProcessed),
			reexplorations: deviationOf(runs, ({ reexplorations }) => reexplorations),
			cachedShare: deviationOf(runs, ({ cachedShare }) => cachedShare),
			wallSeconds: deviationOf(runs, ({ wallSeconds }) => wallSeconds),
		},
	};
}

function deviationOf(runs: readonly RunFigures[], of: (run: RunFigures) => number): number {
	return spreadOf(runs.map(of)).deviation;
}
