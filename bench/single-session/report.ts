/** The runs of a comparison as one report: a row per condition, with mean and spread over its seeds. */
import type { Machine } from "../machine.ts";
import type { Condition } from "./conditions.ts";
import type { Difficulty } from "./difficulty.ts";
import { type Cost, type RunFigures, spreadOf } from "./figures.ts";
import { type KeptRun, nameRun } from "./kept-runs.ts";

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
	/** `pi`, `in-process`, or a real model's name. */
	readonly agent: string;
	readonly isTerse: boolean;
	readonly difficulty: Difficulty;
	readonly seeds: readonly number[];
	readonly cost: Cost;
	readonly paid: number | null;
	/** Null if a run lacks it. */
	readonly modeledSeconds: number | null;
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

export function makeReport(runs: readonly KeptRun[], interrupted: boolean): SingleSessionReport {
	const dates = distinct(runs.map(({ date }) => date)).toSorted();
	return {
		version: 3,
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
	const meanOrNull = (of: (run: RunFigures) => number | null) =>
		runs.some((run) => of(run) === null) ? null : mean((run) => of(run) ?? 0);
	const { condition, agent, isTerse, difficulty } = first;
	return {
		...{ ...condition, agent, isTerse, difficulty, runs },
		seeds: runs.map(({ seed }) => seed),
		...byName(MEANS, (name) => mean((run) => run[name])),
		peakContext: Math.max(...runs.map((run) => run.peakContext)),
		cost: {
			anthropic: meanOrNull(({ cost }) => cost.anthropic),
			openai: meanOrNull(({ cost }) => cost.openai),
		},
		paid: meanOrNull(({ paid }) => paid),
		modeledSeconds: meanOrNull(({ modeledSeconds = null }) => modeledSeconds),
		spread: byName(SPREAD, (name) => spreadOf(runs.map((run) => run[name])).deviation),
	};
}

function byName<Name extends string>(
	names: readonly Name[],
	of: (name: Name) => number,
): Record<Name, number> {
	// Object.fromEntries knows no literal keys.
	return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, number>;
}
