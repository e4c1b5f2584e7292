/** Many sessions under many arms, one of them in memory for each runner. */
import { findSessionFiles } from "../readers/session-files.ts";
import type { Damage } from "../readers/session-reader.ts";
import { type Job, type JobOutcome, type Problem, planJobs } from "./jobs.ts";
import type { Runner } from "./runner.ts";

export interface RunOptions {
	readonly paths: readonly string[];
	/** Called once, with the number of sessions that the runners share out; the outcome does not depend on how. */
	readonly createRunners: (sessions: number) => readonly Runner[];
	/** Ends the run; what is done so far is reported. */
	readonly signal: AbortSignal;
	readonly onProgress: (progress: Progress) => void;
	/** Called once, when it is known what there is to replay; without it, all of that is replayed. */
	readonly openPart?: (plan: RunPlan) => Promise<RunPart>;
}

/** All sessions that there are to replay. */
export interface RunPlan extends Pick<Run, "damage" | "problems"> {
	readonly jobs: readonly Job[];
}

/** The part of a plan that this run replays. */
export interface RunPart {
	readonly isMine: (place: number) => boolean;
	/** The outcomes of an earlier run, by place in the plan. */
	readonly done: ReadonlyMap<number, JobOutcome>;
	readonly add: (place: number, outcome: JobOutcome) => void;
}

export interface Progress {
	/** Sessions begun before this one, of all there are. */
	readonly begun: number;
	readonly sessions: number;
	readonly session: string;
}

export interface Run {
	/** Sessions that were replayed to the end under every arm, in the order of their paths. */
	readonly replays: readonly NonNullable<JobOutcome["replay"]>[];
	readonly damage: readonly Damage[];
	readonly problems: readonly Problem[];
	readonly isInterrupted: boolean;
	/** Sessions that there were to replay. */
	readonly planned: number;
}

/** Replays what the paths name. Files that cannot be replayed become problems of the run, which continues. */
export async function runReplays(options: RunOptions): Promise<Run> {
	const { signal, onProgress } = options;
	const plan = await planRun(options.paths);
	const part = await options.openPart?.(plan);
	const mine = plan.jobs.flatMap((job, place) => (part?.isMine(place) === false ? [] : [{ job, place }]));
	const left = mine.filter(({ place }) => part?.done.has(place) !== true);
	const runners = options.createRunners(left.length);
	const outcomes = new Map(part?.done);
	let begun = 0;
	const work = async (runner: Runner) => {
		for (let next = left[begun]; next && !signal.aborted; next = left[begun]) {
			const { job, place } = next;
			onProgress({ begun: begun++, sessions: left.length, session: job.name });
			const outcome = await runner.run(job);
			outcomes.set(place, outcome);
			// A session that was interrupted is replayed again.
			if (!signal.aborted) part?.add(place, outcome);
		}
	};
	const stop = () => {
		for (const runner of runners) runner.stop();
	};
	signal.addEventListener("abort", stop);
	try {
		await Promise.all(runners.map(work));
	} finally {
		signal.removeEventListener("abort", stop);
		await Promise.all(runners.map((runner) => runner.close()));
	}
	return { ...runOf(plan, outcomes), isInterrupted: signal.aborted, planned: mine.length };
}

/** The run that these outcomes make, by place in the plan. */
export function runOf(
	found: Pick<Run, "damage" | "problems">,
	outcomes: ReadonlyMap<number, JobOutcome>,
): Pick<Run, "replays" | "damage" | "problems"> {
	const done = [...outcomes].toSorted(([a], [b]) => a - b).map(([, outcome]) => outcome);
	return {
		replays: done.flatMap(({ replay }) => (replay ? [replay] : [])),
		damage: [...found.damage, ...done.flatMap(({ damage }) => damage)],
		problems: [...found.problems, ...done.flatMap(({ problems }) => problems)],
	};
}

async function planRun(paths: readonly string[]): Promise<RunPlan> {
	const found = await findSessionFiles(paths);
	return {
		jobs: planJobs(found.flatMap((file) => (file.type === "file" ? [file] : []))),
		damage: found.flatMap((file) => (file.type === "damage" ? file.damage : [])),
		problems: found.flatMap(({ type, ...file }) =>
			"error" in file ? [{ code: file.error.code, message: file.error.message }] : [],
		),
	};
}
