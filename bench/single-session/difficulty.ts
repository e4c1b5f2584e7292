/** How hard the tasks of a run are. It is part of every result, because figures of different settings do not compare. */
import {
	createWorker,
	DEPLOY_SCRIPT,
	LINKED_ROUND,
	makeHardTasks,
	makeTasks,
	type ScriptedModel,
	STYLES,
	type Task,
	type WorkerOptions,
} from "#loopback";
import { CwlError } from "#pi";

/**
 * `normal`: everything that a task needs is in the repository or its history. `hard`: a third of the tasks need a fact that
 * only the user said or a log showed, about 60 tasks before. `hard-noted`: the same tasks, and the worker writes the ids
 * that logs show into its own words and descriptions.
 */
export type Difficulty = "normal" | "hard" | "hard-noted";

/** From the easiest on. */
export const DIFFICULTIES: readonly Difficulty[] = ["normal", "hard", "hard-noted"];

/** @throws CwlError `bad-flag` */
export function parseDifficulty(text: string): Difficulty {
	const found = DIFFICULTIES.find((known) => known === text);
	if (found) return found;
	throw new CwlError("bad-flag", `--difficulty is ${JSON.stringify(text)}: use ${DIFFICULTIES.join(", ")}.`);
}

interface TaskChoice {
	readonly difficulty: Difficulty;
	readonly seed: number;
	readonly tasks: number;
	readonly isTerse: boolean;
}

export function tasksFor({ difficulty, seed, tasks, isTerse }: TaskChoice): readonly Task[] {
	return difficulty === "normal"
		? makeTasks(seed, tasks, { round: LINKED_ROUND, isTerse })
		: makeHardTasks(seed, tasks, { isTerse });
}

/** The files that the tasks need besides those of the generated repository. */
export const filesFor = (difficulty: Difficulty) => (difficulty === "normal" ? [] : [DEPLOY_SCRIPT]);

/**
 * Requests per task after which the worker gives up: a little more than the longest task needs with the whole
 * history.
 */
const PATIENCE = 30;

export const workerFor = (
	difficulty: Difficulty,
	repairsBy: WorkerOptions["repairsBy"] = "reading",
): ScriptedModel =>
	createWorker({
		...{ style: STYLES.thorough, patience: PATIENCE },
		...{ notesIds: difficulty === "hard-noted", repairsBy },
	});
