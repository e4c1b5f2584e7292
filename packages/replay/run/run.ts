/** Many sessions under many arms, one of them in memory for each runner. */
import { type FoundSessions, findSessionFiles } from "../readers/session-files.ts";
import { type JobOutcome, planJobs, type Runner } from "./jobs.ts";

export interface RunOptions {
	readonly paths: readonly string[];
	/** Called once, with the number of sessions that the runners share out; the outcome does not depend on how. */
	readonly createRunners: (sessions: number) => readonly Runner[];
	/** Ends the run; what is done so far is reported. */
	readonly signal: AbortSignal;
	readonly onProgress: (progress: Progress) => void;
}

export interface Progress {
	/** Sessions that are done, of all there are. */
	readonly done: number;
	readonly sessions: number;
	readonly session: string;
}

export type Run = ReturnType<typeof runOf>;

/** Replays what the paths name. Files that cannot be replayed become problems of the run, which continues. */
export async function runReplays(options: RunOptions): Promise<Run> {
	const { signal, onProgress } = options;
	const { places, ...found } = await findSessionFiles(options.paths);
	const jobs = planJobs(places);
	const runners = options.createRunners(jobs.length);
	const outcomes: (JobOutcome | undefined)[] = jobs.map(() => undefined);
	let begun = 0;
	let done = 0;
	const work = async (runner: Runner) => {
		for (let job = jobs[begun]; job && !signal.aborted; job = jobs[begun]) {
			const place = begun;
			begun += 1;
			onProgress({ done, sessions: jobs.length, session: job.name });
			outcomes[place] = await runner.run(job);
			done += 1;
		}
	};
	const stop = () => runners.forEach((runner) => void runner.stop());
	signal.addEventListener("abort", stop);
	try {
		await Promise.all(runners.map(work));
	} finally {
		signal.removeEventListener("abort", stop);
		await Promise.all(runners.map((runner) => runner.close()));
	}
	return runOf(found, outcomes, signal.aborted);
}

function runOf(
	found: Omit<FoundSessions, "places">,
	outcomes: readonly (JobOutcome | undefined)[],
	isInterrupted: boolean,
) {
	const done = outcomes.filter((outcome) => outcome !== undefined);
	return {
		/** Sessions that were replayed to the end under every arm, in the order of their paths. */
		replays: done.flatMap(({ replay }) => replay ?? []),
		damage: [...found.damage, ...done.flatMap(({ damage }) => damage)],
		problems: [...found.problems, ...done.flatMap(({ problems }) => problems)],
		isInterrupted,
		/** The number of sessions that there were to replay. */
		planned: outcomes.length,
	};
}
