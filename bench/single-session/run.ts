/** Runs one condition on the tasks of one seed: each task is a user turn, checked in the repository at its end. */

import { sum } from "#basics";
import { loadTokenCounter } from "#pi/codec";
import { loadModel, type PriceList, priceCall, requestSeconds } from "#replay/metrics";
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
import {
	type ArmFigures,
	type CallCounts,
	type RequestFigure,
	sumRequests,
	type TrialFigures,
} from "../arms.ts";
import { createProgress, inNewFolder } from "../bench.ts";
import { withBadMarks } from "./bad-marks.ts";
import { createCallMeter } from "./call-meter.ts";
import type { Condition } from "./conditions.ts";
import { openSession } from "./local-agent.ts";
import { findSummarizer, summarizeTasks, withSummaries } from "./summaries.ts";

/**
 * `normal`: everything that a task needs is in the repository or its history. `hard`: a third of the tasks need a fact that
 * only the user said or a log showed, about 60 tasks before. `follow-ups`: normal tasks, a quarter of which go back to what the
 * task before them changed. `recall`: ten facts at the beginning, ten questions about them at the end, normal tasks between.
 * Figures of different difficulties do not compare.
 */
export const DIFFICULTIES = ["normal", "hard", "follow-ups", "recall"] as const;

export type Difficulty = (typeof DIFFICULTIES)[number];

/** A repository, the tasks in it, and a scripted worker that can do them. */
export interface Stage {
	/** Fills an empty folder with a clean work tree. */
	readonly create: (directory: string) => Promise<void>;
	/** In the order in which they are done. */
	readonly tasks: readonly Task[];
	readonly worker: ScriptedModel;
}

/** The model whose list prices apply to the traffic of the scripted worker. */
export const PRICED = "anthropic/claude-sonnet-4-6";

/**
 * Requests per task after which the worker gives up: a little more than the longest task needs with the whole
 * history.
 */
const PATIENCE = 30;

/** The generated repository of a seed and its tasks. The worker's answers are `added` tokens longer on average than it needs. */
export function generatedStage(difficulty: Difficulty, seed: number, tasks: number, added = 0): Stage {
	const isRecall = difficulty === "recall";
	const isHard = difficulty === "hard";
	const worker = withLongerAnswers(createWorker({ style: "thorough", patience: PATIENCE }), added);
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

/** A stage with the words in front of the names of its arms. */
interface NamedStage extends Stage {
	readonly prefix: string;
}

/** Runs all conditions on one stage after the other, so that an interrupted comparison has figures of every condition. */
export async function runConditions(
	stages: readonly NamedStage[],
	conditions: readonly Condition[],
	signal: AbortSignal,
): Promise<readonly ArmFigures[]> {
	const arms: ArmFigures[] = [];
	let done = 0;
	const progress = createProgress(conditions.length * sum(stages, ({ tasks }) => tasks.length), "tasks");
	for (const stage of stages) {
		for (const condition of conditions) {
			if (signal.aborted) break;
			const name = stage.prefix + condition.name;
			const onTrial = (solved: number) => progress(++done, `${name}: ${solved} solved`);
			const { trials } = await runCondition(stage, condition, signal, onTrial);
			if (trials.length > 0) arms.push({ name, trials });
		}
	}
	return arms;
}

/** Runs to the end or to the signal. The record holds everything that was done until then. */
export const runCondition = (
	stage: Stage,
	condition: Condition,
	signal: AbortSignal,
	onTrial: (solved: number) => void = () => {},
) =>
	inNewFolder(async (directory) => {
		await stage.create(directory);
		const meter = createCallMeter();
		const worker = workerUnder(condition, stage.worker);
		const model: ScriptedModel = (request) => {
			const reply = worker(request);
			for (const call of reply.calls ?? []) meter.note(call);
			return reply;
		};
		const requests: RequestFigure[] = [];
		const count = await loadTokenCounter();
		const { prices } = await loadModel(PRICED);
		const open = () => openSession({ condition, directory, model, requests, count, prices });
		let session = open();
		const trials: TrialFigures[] = [];
		for (const task of stage.tasks) {
			if (signal.aborted) break;
			if (condition.mode === "isolated") session = open();
			const first = requests.length;
			await task.prepare(directory);
			await session.prompt({ role: "user", content: task.prompt, timestamp: 0 });
			const { errorMessage } = session.state;
			if (errorMessage !== undefined) throw new Error(errorMessage);
			if (signal.aborted) break;
			const figures = measureTrial(requests.slice(first), meter.take(), prices);
			trials.push({ task: task.id, solved: await settleTask(directory, task), ...figures });
			onTrial(trials.filter(({ solved }) => solved).length);
		}
		/** `history`: the messages of the last session, evicted content included. */
		return { trials, requests, history: session.state.messages };
	});

/** The worker with the summaries and the bad marks of a condition. */
function workerUnder({ policy, marks }: Condition, worker: ScriptedModel): ScriptedModel {
	const isOther = policy !== "compaction" && findSummarizer(policy) !== undefined;
	const summarizing = isOther ? withSummaries(worker, (parts) => summarizeTasks(parts, policy)) : worker;
	return withBadMarks(summarizing, marks);
}

/** The figures of a task from its requests, priced by what the cache serves. */
export const measureTrial = (requests: readonly RequestFigure[], calls: CallCounts, prices: PriceList) => ({
	...sumRequests(
		requests.map((each) => ({ ...each, cost: priceCall(each, prices) })),
		calls,
	),
	refused: 0,
	seconds: sum(requests, requestSeconds),
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
