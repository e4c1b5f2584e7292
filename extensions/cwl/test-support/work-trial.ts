/** A trial in which the worker has tasks to do in a scratch repository. */

import type { ModelRequest } from "#testing";
import { createScratchRepository, createWorker } from "#testing/worker";
import { makeTasks } from "#testing/worker/tasks";
import { startTrial, type TrialOptions } from "./trial.ts";

interface WorkTrialOptions extends Omit<TrialOptions, "model"> {
	/** The part of a request that the worker sees; all of it by default. */
	readonly read?: (request: ModelRequest) => ModelRequest;
}

/** Start a trial whose repository and tasks are those of `seed`. A request without tools asks for a summary. */
export async function startWorkTrial(seed: number, tasks: number, options: WorkTrialOptions = {}) {
	const worker = createWorker();
	const { read = (request) => request } = options;
	const trial = await startTrial({
		...options,
		model: (request) =>
			request.tools.length === 0 ? { text: "A summary of the session." } : worker(read(request)),
	});
	await createScratchRepository(trial.work, seed);
	/** `prompts` are the user's, one for each task. */
	return { ...trial, prompts: makeTasks(seed, tasks).map(({ prompt }) => prompt) };
}
