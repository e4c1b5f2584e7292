/** The tasks of a live run, and the worker that can do them in a rehearsal. */
import { resolve } from "node:path";
import type { ScriptedModel } from "#loopback";
import { createCommitWorker } from "#loopback/worker";
import { CwlError } from "#pi";
import { stageOf, withCommitSummaries } from "../commits/chain-stage.ts";
import { git, readChain } from "../commits/read-chain.ts";
import { withSummaries } from "../single-session/model-wrappers.ts";
import { createTaskWorker, DIFFICULTIES, generatedStage, type Stage } from "../single-session/run.ts";
import type { LiveRun } from "./run-file.ts";

export interface Source {
	/** Such as `89 hard tasks`. */
	readonly label: string;
	readonly stage: Stage;
	readonly worker: ScriptedModel;
}

/** @throws CwlError `bad-repository` or `short-history` for a folder that is no clone with so many commits */
export async function readSource({ source, tasks, seed, check }: LiveRun): Promise<Source> {
	const difficulty = DIFFICULTIES.find((known) => known === source);
	if (difficulty) {
		if (check !== "")
			throw new CwlError("bad-flag", "--check goes with a clone: generated tasks have their own checks.");
		const stage = generatedStage(difficulty, seed, tasks);
		return {
			label: `${tasks} ${difficulty} tasks`,
			stage,
			worker: withSummaries(createTaskWorker(difficulty)),
		};
	}
	const repository = (await git(resolve(source), "rev-parse", "--absolute-git-dir")).trim();
	const chain = await readChain(repository, { end: "HEAD", commits: tasks });
	const stage = stageOf(repository, chain, check === "" ? undefined : check);
	const label = `${stage.tasks.length} commits of ${resolve(source).split("/").at(-1)}`;
	return { label, stage, worker: withCommitSummaries(createCommitWorker(chain.commits)) };
}
