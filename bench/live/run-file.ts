/** The identity of a live run, kept in its folder, so that only the same run goes on there; its tasks, and the plan that all parts of it share. */

import { randomInt } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fieldsOf } from "#basics";
import { CwlError } from "#pi";
import { stageOf } from "../commits/chain-stage.ts";
import { readChain } from "../commits/read-chain.ts";
import { PROJECT } from "../pi-host.ts";
import type { Condition } from "../single-session/conditions.ts";
import { DIFFICULTIES, generatedStage, type Stage } from "../single-session/run.ts";
import type { LiveModel } from "./provider.ts";

export interface LiveRun {
	/** `provider/id`, or `rehearsal`. */
	readonly model: string;
	readonly source: string;
	/** The command that judges commits; empty for none. */
	readonly check: string;
	readonly tasks: number;
	/** Tokens that each answer of the scripted worker has more on average. */
	readonly added: number;
	readonly arms: string;
	readonly budget: string;
	/** The path of another extension; empty for none. */
	readonly peer: string;
	readonly seed: number;
}

const MAX_SEED = 1_000_000;

/**
 * The run that the folder holds, or a new one. Without a seed, that of the folder holds, or one is drawn.
 * @throws CwlError `other-run` naming what differs
 */
export async function readRun(
	folder: string,
	{ seed, ...asked }: Omit<LiveRun, "seed"> & { readonly seed: number | undefined },
): Promise<LiveRun> {
	const text = await readFile(join(folder, "run.json"), "utf8").catch(() => "{}");
	const kept: Partial<LiveRun> = JSON.parse(text);
	const run = { ...asked, seed: seed ?? kept.seed ?? randomInt(MAX_SEED) };
	const now = fieldsOf(run);
	const other = Object.entries(kept).find(([key, was]) => was !== now[key]);
	if (!other) return run;
	const [key, was] = other;
	throw new CwlError(
		"other-run",
		`${folder} holds a run with ${key} ${was} instead of ${now[key]}: name another folder with --to.`,
	);
}

export async function writeRun(folder: string, run: LiveRun): Promise<void> {
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, "run.json"), `${JSON.stringify(run, undefined, "\t")}\n`);
}

export interface Source extends Stage {
	/** Such as `89 hard tasks`. */
	readonly label: string;
}

/** A live run as its parts share it. */
export interface LivePlan {
	/** The folder of the run; each arm has one in it. */
	readonly folder: string;
	readonly conditions: readonly Condition[];
	readonly source: Source;
	readonly seed: number;
	readonly model: LiveModel;
	/** The path of another extension, for the arm `peer`; empty for none. */
	readonly peer: string;
	/** Milliseconds that a trial may take, and that a provider may say nothing for. */
	readonly limits: { readonly trial: number; readonly silence: number };
	/** Dollars. */
	readonly maxCost: number;
	/** Hours after which no trial begins. */
	readonly hours: number;
	/** Ends a trial in the middle; such a trial is not written down. */
	readonly signal: AbortSignal;
}

/** The tasks of a run, and the worker that can do them in a rehearsal. @throws CwlError `bad-repository` or `short-history` for a folder that is no clone with so many commits */
export async function readSource({ source, tasks, seed, check, added }: LiveRun): Promise<Source> {
	const difficulty = DIFFICULTIES.find((known) => known === source);
	if (difficulty) {
		if (check !== "")
			throw new CwlError("bad-flag", "--check goes with a clone: generated tasks have their own checks.");
		return { label: `${tasks} ${difficulty} tasks`, ...generatedStage(difficulty, seed, tasks, added) };
	}
	if (source === OWN) {
		const chain = await readChain(PROJECT, OWN_END, OWN_CANDIDATES);
		const links = { node_modules: join(PROJECT, "node_modules") };
		const stage = stageOf(chain, { command: check || OWN_CHECK, links, tasks });
		return { label: `${stage.tasks.length} commits of this project, judged by their tests`, ...stage };
	}
	const chain = await readChain(source, "HEAD", tasks);
	const stage = stageOf(chain, check === "" ? undefined : { command: check });
	const label = `${stage.tasks.length} commits of ${resolve(source).split("/").at(-1)}`;
	return { label, ...stage };
}

/** The default source: commits of this repository that have tests, up to one that everybody has. */
export const OWN = "own";
const OWN_END = "7e8b13c6";
/** Enough to have 40 with tests among them. */
const OWN_CANDIDATES = 120;
const OWN_CHECK = "node node_modules/vitest/vitest.mjs run --maxWorkers 1 $TESTS";
