/** Many sessions under many arms, one of them in memory for each runner. */
import { CwlError } from "#pi";
import { type FoundSessions, findSessionFiles } from "../readers/session-files.ts";
import { planJobs, type Runner } from "./jobs.ts";
import { addRow, headerFor, type Outcomes, openRows, type RowsHeader, readRows, type Shard } from "./rows.ts";
import type { RunSettings } from "./setup.ts";

export interface RunOptions {
	readonly paths: readonly string[];
	/** Called once, with the number of sessions that the runners share out; the outcome does not depend on how. */
	readonly createRunners: (sessions: number) => readonly Runner[];
	/** Ends the run; what is done so far is reported. */
	readonly signal: AbortSignal;
	readonly onProgress: (progress: Progress) => void;
	/** A file that keeps a row for each session of a shard, and the settings that its rows depend on. */
	readonly rows?:
		| { readonly path: string; readonly shard: Shard; readonly settings: RunSettings }
		| undefined;
}

export interface Progress {
	/** Sessions that are done, of all there are. */
	readonly done: number;
	readonly sessions: number;
	readonly session: string;
}

export type Run = ReturnType<typeof runOf>;

/**
 * Replays what the paths name, or the part of it that belongs to a shard and has no row yet. Files that cannot be replayed
 * become problems of the run, which continues.
 * @throws CwlError as `openRows` does
 */
export async function runReplays(options: RunOptions): Promise<Run> {
	const { signal, onProgress, rows } = options;
	const { places, ...found } = await findSessionFiles(options.paths);
	const jobs = planJobs(places);
	const shard = rows?.shard ?? { number: 1, of: 1 };
	const isMine = ([place]: readonly [number, unknown]) => place % shard.of === shard.number - 1;
	const mine = [...jobs.entries()].filter(isMine);
	const done = rows ? await openRows(rows.path, headerFor(jobs, found, rows.settings)) : new Map();
	const left = mine.filter(([place]) => !done.has(place));
	const runners = options.createRunners(left.length);
	const outcomes: Outcomes = new Map([...done].filter(isMine));
	let begun = 0;
	let finished = 0;
	const work = async (runner: Runner) => {
		for (let next = left[begun]; next && !signal.aborted; next = left[begun]) {
			const [place, job] = next;
			begun += 1;
			onProgress({ done: finished, sessions: left.length, session: job.name });
			const outcome = await runner.run(job);
			finished += 1;
			outcomes.set(place, outcome);
			// A session that was interrupted is replayed again.
			if (rows && !signal.aborted) addRow(rows.path, place, outcome);
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
	return runOf(found, outcomes, mine.length, signal.aborted);
}

/**
 * Joins files of rows to the run over all their sessions: a session that is in several counts once, and the run counts as
 * interrupted while rows are missing.
 * @throws CwlError `no-path` without a file, and as `readRows` does
 */
export async function mergeRuns(paths: readonly string[]): Promise<{ run: Run; settings: RunSettings }> {
	const outcomes: Outcomes = new Map();
	let header: RowsHeader | undefined;
	for (const path of paths) {
		const rows = await readRows(path, header);
		header ??= rows.header;
		for (const [place, outcome] of rows.outcomes) outcomes.set(place, outcome);
	}
	if (!header) throw new CwlError("no-path", "name the files of rows that cwl replay --rows wrote.");
	const { found, planned, settings } = header;
	return { run: runOf(found, outcomes, planned, outcomes.size < planned), settings };
}

/** `planned` is the number of sessions that there were to replay. */
function runOf(
	found: Omit<FoundSessions, "places">,
	outcomes: Outcomes,
	planned: number,
	isInterrupted: boolean,
) {
	const done = [...outcomes].toSorted(([a], [b]) => a - b).map(([, outcome]) => outcome);
	return {
		/** Sessions that were replayed to the end under every arm, in the order of their paths. */
		replays: done.flatMap(({ replay }) => replay ?? []),
		damage: [...found.damage, ...done.flatMap(({ damage }) => damage)],
		problems: [...found.problems, ...done.flatMap(({ problems }) => problems)],
		isInterrupted,
		planned,
	};
}
