/** A trial in which the worker has tasks to do in a scratch repository. */
import { createScratchRepository } from "../../../packages/loopback/worker/repository.ts";
import { makeTasks } from "../../../packages/loopback/worker/tasks.ts";
import { createWorker } from "../../../packages/loopback/worker/worker.ts";
import { startTrial, type Trial, type TrialOptions } from "./trial.ts";

export interface WorkTrial extends Trial {
	/** What the user asks, task by task. */
	readonly prompts: readonly string[];
}

/** Start a trial whose repository and tasks are those of `seed`. */
export async function startWorkTrial(
	seed: number,
	tasks: number,
	options: Omit<TrialOptions, "model"> = {},
): Promise<WorkTrial> {
	const trial = await startTrial({ ...options, model: createWorker() });
	await createScratchRepository(trial.work, seed);
	return { ...trial, prompts: makeTasks(seed, tasks).map(({ prompt }) => prompt) };
}
