/** A trial in which the worker has tasks to do in a scratch repository. */
import { createScratchRepository, createWorker, type ModelRequest, makeTasks } from "#loopback";
import { startTrial, type Trial, type TrialOptions } from "./trial.ts";

export interface WorkTrial extends Trial {
	/** What the user asks, task by task. */
	readonly prompts: readonly string[];
}

interface WorkTrialOptions extends Omit<TrialOptions, "model"> {
	/** What the worker sees of a request, all of it unless told. */
	readonly read?: (request: ModelRequest) => ModelRequest;
}

/** Start a trial whose repository and tasks are those of `seed`. A request without tools asks for a summary. */
export async function startWorkTrial(
	seed: number,
	tasks: number,
	options: WorkTrialOptions = {},
): Promise<WorkTrial> {
	const worker = createWorker();
	const { read = (request) => request } = options;
	const trial = await startTrial({
		...options,
		model: (request) =>
			request.tools.length === 0 ? { text: "A summary of the session." } : worker(read(request)),
	});
	await createScratchRepository(trial.work, seed);
	return { ...trial, prompts: makeTasks(seed, tasks).map(({ prompt }) => prompt) };
}
