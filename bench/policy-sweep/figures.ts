/** The points of a sweep: each policy under each budget, on the tasks of the single-session protocol and on recorded sessions. */
import type { Report } from "#lab";
import { type PricedName, priceReads } from "../read-prices.ts";
import type { Difficulty } from "../single-session/difficulty.ts";
import type { ConditionReport, SingleSessionReport } from "../single-session/report.ts";

/** Means over seeds. */
export interface TaskPoint {
	readonly policy: string;
	/** Tokens; null for conditions that no budget changes. */
	readonly budget: number | null;
	readonly difficulty: Difficulty;
	readonly seeds: number;
	readonly tasks: number;
	readonly solved: number;
	readonly requests: number;
	readonly tokensProcessed: number;
	readonly reexplorations: number;
	/** Dollars at the prices of claude-sonnet-4-6. */
	readonly cost: number;
	/** Null if a run lacks it. */
	readonly modeledSeconds: number | null;
}

/** Over the requests under pressure, which are the same under every budget. Shares are of `none`. */
export interface SessionPoint {
	readonly policy: string;
	readonly budget: number | null;
	/** One for each model that the replay priced. */
	readonly costs: readonly number[];
	readonly time: number;
	/** Edits whose old text was still in the request. */
	readonly editsKept: number;
	/** Recorded calls that repeat one whose output was gone, in a thousand requests. */
	readonly repeats: number;
	readonly overBudget: number;
}

export interface SweepFigures {
	readonly tasks: readonly TaskPoint[];
	readonly sessions: {
		readonly replayed: number;
		readonly planned: number;
		readonly pressed: number;
		/** Requests under pressure. */
		readonly requests: number;
		/** Tokens from which on a session is under pressure. */
		readonly pressure: number;
		readonly models: readonly PricedName[];
		readonly points: readonly SessionPoint[];
	};
}

const UNCAPPED = new Set(["none", "isolated", "context-folding", "masking"]);

const capOf = (policy: string, budget: number): number | null => (UNCAPPED.has(policy) ? null : budget);

/** The conditions that ran in process, with the same number of tasks as the first. */
export function pickTasks({ conditions }: SingleSessionReport): readonly TaskPoint[] {
	const [first] = conditions;
	const shown = conditions.filter(
		({ agent, isTerse, tasks }) => agent === "in-process" && !isTerse && tasks === first?.tasks,
	);
	return shown.map(taskPoint).toSorted(byDifficulty);
}

function taskPoint({ name, policy, budget, seeds, cost, ...rest }: ConditionReport): TaskPoint {
	const { difficulty, tasks, solved, requests, tokensProcessed, reexplorations, modeledSeconds } = rest;
	const shown = name === "isolated" ? name : policy;
	return {
		...{ policy: shown, budget: capOf(shown, budget), difficulty, seeds: seeds.length },
		...{ tasks, solved, requests, tokensProcessed, reexplorations },
		...{ cost: cost.anthropic ?? 0, modeledSeconds },
	};
}

const byDifficulty = (a: TaskPoint, b: TaskPoint) =>
	byPolicy({ ...a, group: a.difficulty }, { ...b, group: b.difficulty });

interface Place {
	readonly group?: string;
	readonly policy: string;
	readonly budget: number | null;
}

/** Without a budget first, then by policy and budget. */
function byPolicy(a: Place, b: Place): number {
	const group = (b.group ?? "").localeCompare(a.group ?? "");
	if (group !== 0) return group;
	const capped = Number(a.budget !== null) - Number(b.budget !== null);
	return capped || a.policy.localeCompare(b.policy) || (a.budget ?? 0) - (b.budget ?? 0);
}

/** From a report of `cwl replay --what-if`, where each policy is named with its budget. */
export async function pickSessions({
	sessions,
	budget: pressure,
	policies,
}: Report): Promise<SweepFigures["sessions"]> {
	const none = policies.find(({ policy }) => policy === "none")?.pressed;
	const models = await priceReads(Object.keys(none?.dollars ?? {}));
	const points = policies.flatMap(
		({ policy: arm, budget, isAuto, pressed, grounding, faults }): SessionPoint[] => {
			const [policy = arm] = arm.split("@");
			if (isAuto || !pressed || !none) return [];
			return [
				{
					...{ policy, budget: capOf(policy, budget), overBudget: pressed.overBudget },
					costs: models.map(({ name }) => (pressed.dollars[name] ?? 0) / (none.dollars[name] ?? 1)),
					time: pressed.modeledSeconds / none.modeledSeconds,
					editsKept: grounding.edit.kept / grounding.edit.needed,
					repeats: (1_000 * faults.faults) / pressed.requests,
				},
			];
		},
	);
	return {
		...{ replayed: sessions.replayed, planned: sessions.planned, pressed: sessions.pressed },
		...{ requests: none?.requests ?? 0, pressure, models, points: points.toSorted(byPolicy) },
	};
}
