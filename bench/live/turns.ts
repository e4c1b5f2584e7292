/** The order of a live run: task by task, all arms take their turn in an order that the seed draws anew for each task. */
import { createRandom } from "#loopback/worker";
import type { Task } from "#loopback/worker/tasks";
import type { Arm } from "./arm.ts";

/** Trials in a row, each tried twice, after which the provider counts as out of order. */
const MAX_FAULTS = 3;

export interface Turns {
	readonly arms: readonly Arm[];
	readonly tasks: readonly Task[];
	readonly seed: number;
	readonly signal: AbortSignal;
	/** Called after each trial. */
	readonly onTrial: (arm: Arm) => void;
}

/** Makes all trials that are left. Undefined when all are made or the signal came; otherwise the words of a provider that only fails. */
export async function takeTurns({ arms, tasks, seed, signal, onTrial }: Turns): Promise<string | undefined> {
	let faults = 0;
	for (const [index, task] of tasks.entries()) {
		for (const arm of createRandom(seed + index).shuffle(arms)) {
			if (arm.folder.trials.length > index) continue;
			if (signal.aborted) return undefined;
			const trial = await arm.take(task);
			if (!trial) return undefined;
			onTrial(arm);
			faults = trial.fault === undefined ? 0 : faults + 1;
			if (faults === MAX_FAULTS) return trial.fault;
		}
	}
	return undefined;
}
