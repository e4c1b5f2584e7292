/** Runs one condition on the tasks of one seed: each task is a user turn, checked in the repository at its end. */

import { loadTokenCounter } from "#pi/codec";
import { loadModel } from "#replay/metrics";
import type { ScriptedModel } from "#testing";
import {
	commitAll,
	createScratchRepository,
	createWorker,
	DEPLOY_SCRIPT,
	discardChanges,
	listChangedFiles,
	withLongerAnswers,
} from "#testing/worker";
import { LINKED_ROUND, makeHardTasks, makeRecallTasks, makeTasks, type Task } from "#testing/worker/tasks";
import { inNewFolder } from "../bench.ts";
import { type Condition, readSettings } from "./conditions.ts";
import { openSession, type RequestFigure } from "./local-agent.ts";
import { createExplorationMeter, withBadMarks } from "./model-wrappers.ts";
import { PRICED } from "./prices.ts";
import { findSummarizer, summarizeTasks, withSummaries } from "./summaries.ts";

/**
 * `normal`: everything that a task needs is in the repository or its history. `hard`: a third of the tasks need a fact that
 * only the user said or a log showed, about 60 tasks before. `hard-noted`: the same tasks, and the worker writes the ids
 * that logs show into its own words and descriptions. `follow-ups`: normal tasks, a quarter of which go back to what the
 * task before them changed. `recall`: ten facts at the beginning, ten questions about them at the end, normal tasks between.
 * Figures of different difficulties do not compare.
 */
export const DIFFICULTIES = ["normal", "hard", "hard-noted", "follow-ups", "recall"] as const;

export type Difficulty = (typeof DIFFICULTIES)[number];

/** A repository, the tasks in it, and a scripted worker that can do them. */
export interface Stage {
	/** Fills an empty folder with a clean work tree. */
	readonly create: (directory: string) => Promise<void>;
	/** In the order in which they are done. */
	readonly tasks: readonly Task[];
	readonly worker: ScriptedModel;
}

export interface RunOptions extends Stage {
	readonly condition: Condition;
	readonly seed: number;
	readonly signal: AbortSignal;
	/** Called after each task with everything so far. */
	readonly onProgress?: (progress: {
		readonly results: readonly TaskResult[];
		readonly requests: readonly RequestFigure[];
	}) => void;
}

interface TaskResult {
	readonly id: string;
	readonly isSolved: boolean;
}

/** The record of one run. */
export type RunRecord = Awaited<ReturnType<typeof runCondition>>;

/**
 * Requests per task after which the worker gives up: a little more than the longest task needs with the whole
 * history.
 */
const PATIENCE = 30;

/** The generated repository of a seed and its tasks. The worker's answers are `added` tokens longer on average than it needs. */
export function generatedStage(difficulty: Difficulty, seed: number, tasks: number, added = 0): Stage {
	const isRecall = difficulty === "recall";
	const isHard = difficulty.startsWith("hard");
	const notesIds = difficulty === "hard-noted";
	const worker = withLongerAnswers(createWorker({ style: "thorough", patience: PATIENCE, notesIds }), added);
	return {
		create: (directory) =>
			createScratchRepository(directory, seed, isHard || isRecall ? [DEPLOY_SCRIPT] : []),
		tasks: isRecall
			? makeRecallTasks(seed, tasks)
			: isHard
				? makeHardTasks(seed, tasks)
				: makeTasks(seed, tasks, LINKED_ROUND, difficulty === "follow-ups"),
		worker: withSummaries(worker, summarizeTasks),
	};
}

/** Runs to the end or to the signal. The record holds everything that was done until then. */
export const runCondition = (options: RunOptions) =>
	inNewFolder(async (directory) => {
		const { condition, seed, tasks, signal } = options;
		await options.create(directory);
		const exploration = createExplorationMeter();
		const { policy } = condition;
		const isOther = policy !== "compaction" && findSummarizer(policy) !== undefined;
		const summarizing = isOther
			? withSummaries(options.worker, (parts) => summarizeTasks(parts, policy))
			: options.worker;
		const worker = withBadMarks(summarizing, readSettings(policy).marks);
		const requests: RequestFigure[] = [];
		const model = exploration.watch(worker);
		const count = await loadTokenCounter();
		const { prices } = await loadModel(PRICED[0]);
		const open = () => openSession({ condition, directory, model, requests, count, prices });
		let session = open();
		const begun = performance.now();
		const results: TaskResult[] = [];
		for (const task of tasks) {
			if (signal.aborted) break;
			if (condition.mode === "isolated") session = open();
			await task.prepare(directory);
			await session.prompt({ role: "user", content: task.prompt, timestamp: 0 });
			const { errorMessage } = session.state;
			if (errorMessage !== undefined) throw new Error(errorMessage);
			if (signal.aborted) break;
			results.push({ id: task.id, isSolved: await settleTask(directory, task) });
			options.onProgress?.({ results, requests });
		}
		return {
			...{ condition, seed, results, requests },
			/** In total, done or not. */
			tasks: tasks.length,
			reexplorations: exploration.repeated(),
			repair: exploration.repair(),
			seconds: (performance.now() - begun) / 1_000,
			/** The messages of the last session, evicted content included. */
			history: session.state.messages,
		};
	});

/**
 * Returns true for a task that is done. A failed task is replaced by its reference solution, so that one failure counts
 * once. Everything is committed between tasks, as a user would do.
 */
export async function settleTask(directory: string, task: Task): Promise<boolean> {
	const isSolved = await isDone(directory, task);
	if (!isSolved) {
		await discardChanges(directory);
		await task.solve(directory);
	}
	await commitAll(directory, `Work of ${task.id.slice(0, "task-000".length)}`);
	return isSolved;
}

/** A task is done when its check passes and no file changed that it does not concern. */
async function isDone(directory: string, { files, verify }: Task): Promise<boolean> {
	const changed = await listChangedFiles(directory);
	return changed.every((path) => files?.includes(path) ?? true) && verify(directory);
}
