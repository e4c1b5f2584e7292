/** Runs the tasks of a seed one after the other, and checks each at the end of its turn. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Agent } from "./agent.ts";
import type { BenchTask } from "./tasks/make-tasks.ts";
import { commit, restore, writeFiles } from "./tasks/repository.ts";

export interface TaskRun {
	readonly directory: string;
	readonly tasks: readonly BenchTask[];
	readonly agent: Agent;
	/** True for a new session per task. */
	readonly isIsolated: boolean;
	readonly signal: AbortSignal;
	/** Called before each task with undefined, and after it with its result. */
	readonly onTask?: (task: BenchTask, isSolved: boolean | undefined) => void;
}

export interface TaskResult {
	readonly id: string;
	readonly isSolved: boolean;
}

/**
 * Runs tasks until they are done or the signal fires. A failed task is replaced by its reference solution, so that
 * one failure counts once. Everything is committed between tasks, as a user would do.
 */
export async function runTasks(run: TaskRun): Promise<readonly TaskResult[]> {
	const { directory, agent, signal } = run;
	const results: TaskResult[] = [];
	for (const task of run.tasks) {
		if (signal.aborted) break;
		run.onTask?.(task, undefined);
		if (run.isIsolated) await agent.renew();
		const answer = await agent.ask(task.prompt);
		if (signal.aborted) break;
		const isSolved = await task.check({ directory, answer });
		if (!isSolved) await putRight(directory, task);
		await commit(directory, `Work of ${task.id.slice(0, 3)}`);
		results.push({ id: task.id, isSolved });
		run.onTask?.(task, isSolved);
	}
	return results;
}

async function putRight(directory: string, task: BenchTask): Promise<void> {
	await restore(directory);
	// The reference solution is a pure function of texts: a first call tells which files it reads.
	const wanted = new Set<string>();
	task.solve((path) => {
		wanted.add(path);
		return "";
	});
	const texts = new Map<string, string>();
	for (const path of wanted) texts.set(path, await readFile(join(directory, path), "utf8").catch(() => ""));
	await writeFiles(
		directory,
		task.solve((path) => texts.get(path) ?? ""),
	);
}
