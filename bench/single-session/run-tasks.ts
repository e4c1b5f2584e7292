/** The tasks of a seed, one after the other, each checked when its turn is over. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Agent } from "./agent.ts";
import type { BenchTask } from "./tasks/make-tasks.ts";
import { commit, restore, writeFiles } from "./tasks/repository.ts";

export interface TaskRun {
	readonly directory: string;
	readonly tasks: readonly BenchTask[];
	readonly agent: Agent;
	/** A fresh session for each task. */
	readonly isIsolated: boolean;
	readonly signal: AbortSignal;
	/** Called before each task, and after each with whether it was done. */
	readonly onTask?: (task: BenchTask, isSolved: boolean | undefined) => void;
}

export interface TaskResult {
	readonly id: string;
	readonly isSolved: boolean;
}

/**
 * Carry out tasks until they are done or the signal fires. A task that failed is put right before the next one, so
 * that one failure counts once; everything is committed in between, as a person would.
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
	// The reference solution is a plain function of texts, so it is asked first which files it wants to read.
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
