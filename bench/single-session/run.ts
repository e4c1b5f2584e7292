/** Runs one condition on the tasks of one seed: each task is a user turn, checked in the repository at its end. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ScriptedModel } from "#loopback";
import {
	commitAll,
	createScratchRepository,
	createWorker,
	DEPLOY_SCRIPT,
	discardChanges,
	listChangedFiles,
} from "#loopback/worker";
import { LINKED_ROUND, makeHardTasks, makeRecallTasks, makeTasks, type Task } from "#loopback/worker/tasks";
import { type Condition, readSettings } from "./conditions.ts";
import {
	createExplorationMeter,
	type ExplorationMeter,
	type Repair,
	withBadMarks,
	withSummaries,
} from "./model-wrappers.ts";

/** The agent that does the tasks of a run: the real pi, or pi's agent in this process. */
export interface Agent {
	/** Sends a user turn and returns at its end. Rejects if the agent has ended. */
	ask(prompt: string): Promise<void>;
	/** Begins a new, empty session. */
	renew(): Promise<void>;
	close(): Promise<void>;
}

/** One request as it was sent; all sizes in tokens. */
export interface RequestFigure {
	readonly tokens: number;
	/** Tokens from Anthropic's cache, which knows the ends of earlier requests. */
	readonly cachedTokens: number;
	/** Tokens from a cache of prefixes such as OpenAI's. */
	readonly prefixTokens: number;
	readonly outputTokens: number;
	readonly isRefused: boolean;
	/** True for a call that pi made for a summary. */
	readonly isSummary: boolean;
}

/**
 * `normal`: everything that a task needs is in the repository or its history. `hard`: a third of the tasks need a fact that
 * only the user said or a log showed, about 60 tasks before. `hard-noted`: the same tasks, and the worker writes the ids
 * that logs show into its own words and descriptions. `follow-ups`: normal tasks, a quarter of which go back to what the
 * task before them changed. `recall`: ten facts at the beginning, ten questions about them at the end, normal tasks between.
 * Figures of different difficulties do not compare.
 */
export const DIFFICULTIES = ["normal", "hard", "hard-noted", "follow-ups", "recall"] as const;

export type Difficulty = (typeof DIFFICULTIES)[number];

/** Collects the figures of a run in progress. */
export interface Meters {
	readonly requests: RequestFigure[];
	readonly exploration: ExplorationMeter;
}

/** The surroundings in which an agent starts; `scratch` is a folder of its own outside the repository. */
export interface AgentPlace {
	readonly condition: Condition;
	readonly difficulty: Difficulty;
	readonly directory: string;
	readonly scratch: string;
	readonly meters: Meters;
}

export type StartAgent = (place: AgentPlace) => Promise<Agent>;

/** A condition, and the repository and tasks that it is tried on. */
export interface RunOptions {
	readonly condition: Condition;
	readonly seed: number;
	readonly difficulty: Difficulty;
	/** Fills an empty folder with a clean work tree. */
	readonly create: (directory: string) => Promise<void>;
	/** In the order in which they are done. */
	readonly tasks: readonly Task[];
	readonly signal: AbortSignal;
	/** Called after each task with everything so far. */
	readonly onProgress: (progress: Pick<RunRecord, "results" | "requests">) => void;
}

/** The record of one run. */
export interface RunRecord {
	readonly condition: Condition;
	readonly seed: number;
	/** Tasks in total, done or not. */
	readonly tasks: number;
	readonly results: readonly { readonly id: string; readonly isSolved: boolean }[];
	readonly requests: readonly RequestFigure[];
	readonly reexplorations: number;
	readonly repair: Repair;
	readonly seconds: number;
}

export type Stage = Pick<RunOptions, "create" | "tasks">;

/** The generated repository of a seed and its tasks. */
export function generatedStage(difficulty: Difficulty, seed: number, tasks: number): Stage {
	const isRecall = difficulty === "recall";
	const isHard = difficulty.startsWith("hard");
	return {
		create: (directory) =>
			createScratchRepository(directory, seed, isHard || isRecall ? [DEPLOY_SCRIPT] : []),
		tasks: isRecall
			? makeRecallTasks(seed, tasks)
			: isHard
				? makeHardTasks(seed, tasks)
				: makeTasks(seed, tasks, LINKED_ROUND, difficulty === "follow-ups"),
	};
}

/**
 * Requests per task after which the worker gives up: a little more than the longest task needs with the whole
 * history.
 */
const PATIENCE = 30;

/** The scripted worker for generated tasks. */
export const createTaskWorker = (difficulty: Difficulty): ScriptedModel =>
	createWorker({ style: "thorough", patience: PATIENCE, notesIds: difficulty === "hard-noted" });

/** The scripted worker of a condition: it marks well or badly, writes pi's summaries, and is measured. */
export function createModel({ condition, difficulty, meters }: AgentPlace): ScriptedModel {
	const { marks } = readSettings(condition.policy);
	const worker = createTaskWorker(difficulty);
	return withSummaries(meters.exploration.watch(withBadMarks(worker, marks)));
}

/** Runs to the end or to the signal. The record holds everything that was done until then. */
export async function runCondition(options: RunOptions, start: StartAgent): Promise<RunRecord> {
	const { condition, seed, difficulty, tasks } = options;
	const root = await mkdtemp(join(tmpdir(), "cwl-single-session-"));
	const [directory, scratch] = [join(root, "repository"), join(root, "scratch")];
	const meters: Meters = { requests: [], exploration: createExplorationMeter() };
	try {
		await mkdir(scratch);
		await options.create(directory);
		const agent = await start({ condition, difficulty, directory, scratch, meters });
		const begun = performance.now();
		const results = await runTasks(options, agent, directory, meters).finally(() => agent.close());
		return {
			...{ condition, seed, results, tasks: tasks.length },
			requests: meters.requests,
			reexplorations: meters.exploration.repeated(),
			repair: meters.exploration.repair(),
			seconds: (performance.now() - begun) / 1_000,
		};
	} finally {
		await rm(root, { recursive: true, force: true });
	}
}

/** Runs tasks until they are done or the run is stopped. */
async function runTasks(
	{ tasks, condition, onProgress, signal }: RunOptions,
	agent: Agent,
	directory: string,
	{ requests }: Meters,
): Promise<RunRecord["results"]> {
	// pi does not answer a pending prompt when it is asked to end.
	const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
	const results: RunRecord["results"][number][] = [];
	for (const task of tasks) {
		if (signal.aborted) break;
		if (condition.mode === "isolated") await agent.renew();
		await task.prepare(directory);
		await Promise.race([agent.ask(task.prompt), stopped]);
		if (signal.aborted) break;
		results.push({ id: task.id, isSolved: await settleTask(directory, task) });
		onProgress({ results, requests });
	}
	return results;
}

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
