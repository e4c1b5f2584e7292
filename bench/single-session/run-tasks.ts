/** Runs the tasks of a seed one after the other, and checks each at the end of its turn. */
import { commitAll, discardChanges, listChangedFiles, type Task } from "#loopback";
import type { Agent } from "./agent.ts";

export interface TaskRun {
	readonly directory: string;
	readonly tasks: readonly Task[];
	readonly agent: Agent;
	/** True for a new session per task. */
	readonly isIsolated: boolean;
	readonly signal: AbortSignal;
	/** Called with the result after each task. */
	readonly onTask?: (isSolved: boolean) => void;
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
		if (run.isIsolated) await agent.renew();
		await task.prepare(directory);
		await agent.ask(task.prompt);
		if (signal.aborted) break;
		const isSolved = await isDone(directory, task);
		if (!isSolved) {
			await discardChanges(directory);
			await task.solve(directory);
		}
		await commitAll(directory, `Work of ${task.id.slice(0, "task-000".length)}`);
		results.push({ id: task.id, isSolved });
		run.onTask?.(isSolved);
	}
	return results;
}

/** A task is done when its check passes and no file changed that it does not concern. */
async function isDone(directory: string, { files, verify }: Task): Promise<boolean> {
	const changed = await listChangedFiles(directory);
	return changed.every((path) => files.includes(path)) && verify(directory);
}
