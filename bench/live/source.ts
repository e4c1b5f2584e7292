/** The tasks of a live run, and the worker that can do them in a rehearsal. */
import { resolve } from "node:path";
import { CwlError } from "#pi";
import { stageOf } from "../commits/chain-stage.ts";
import { readChain } from "../commits/read-chain.ts";
import { DIFFICULTIES, generatedStage, type Stage } from "../single-session/run.ts";
import type { LiveRun } from "./run-file.ts";

export interface Source extends Stage {
	/** Such as `89 hard tasks`. */
	readonly label: string;
}

/** @throws CwlError `bad-repository` or `short-history` for a folder that is no clone with so many commits */
export async function readSource({ source, tasks, seed, check }: LiveRun): Promise<Source> {
	const difficulty = DIFFICULTIES.find((known) => known === source);
	if (difficulty) {
		if (check !== "")
			throw new CwlError("bad-flag", "--check goes with a clone: generated tasks have their own checks.");
		return { label: `${tasks} ${difficulty} tasks`, ...generatedStage(difficulty, seed, tasks) };
	}
	const chain = await readChain(source, "HEAD", tasks);
	const stage = stageOf(chain, check === "" ? undefined : check);
	const label = `${stage.tasks.length} commits of ${resolve(source).split("/").at(-1)}`;
	return { label, ...stage };
}
