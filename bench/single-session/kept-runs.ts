/**
 * The figures of finished runs, one file each, so that a long comparison can be interrupted, continued and combined
 * later.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CwlError } from "#pi";
import type { Machine } from "../machine.ts";
import type { Condition } from "./conditions.ts";
import type { Difficulty } from "./difficulty.ts";
import type { RunFigures } from "./figures.ts";

/** The description and figures of one run. */
export interface KeptRun {
	readonly version: 3;
	/** The day on which it ran. */
	readonly date: string;
	/** The commit of this project, with `+` for uncommitted changes. */
	readonly commit: string;
	readonly machine: Machine;
	/** Names and versions of the programs and packages. */
	readonly versions: readonly string[];
	/** The agent: `pi`, `in-process`, or the name of a real model. */
	readonly agent: string;
	readonly isTerse: boolean;
	readonly difficulty: Difficulty;
	readonly condition: Condition;
	readonly figures: RunFigures;
}

/** The identity of a run: everything except time and machine. */
export function nameRun(
	run: Pick<KeptRun, "agent" | "isTerse" | "difficulty" | "condition"> & { tasks: number; seed: number },
): string {
	const { agent, isTerse, difficulty, condition, tasks, seed } = run;
	const settings = [...(difficulty === "normal" ? [] : [difficulty]), ...(isTerse ? ["terse"] : [])];
	const parts = [condition.name, agent, `${tasks}-tasks`, ...settings, `seed-${seed}`];
	return parts.join("_").replace(/[^\w.-]+/g, "-");
}

export async function keepRun(directory: string, run: KeptRun): Promise<void> {
	await mkdir(directory, { recursive: true });
	const { tasks, seed } = run.figures;
	const path = join(directory, `${nameRun({ ...run, tasks, seed })}.json`);
	await writeFile(path, `${JSON.stringify(run, undefined, "\t")}\n`);
}

/** All runs of a folder by name; empty if it does not exist. @throws CwlError `bad-run` naming the file */
export async function readKeptRuns(directory: string): Promise<ReadonlyMap<string, KeptRun>> {
	const names = await readdir(directory).catch(() => []);
	const runs = new Map<string, KeptRun>();
	for (const name of names.filter((each) => each.endsWith(".json")).sort()) {
		runs.set(
			name.slice(0, -".json".length),
			readRun(join(directory, name), await readFile(join(directory, name), "utf8")),
		);
	}
	return runs;
}

function readRun(path: string, text: string): KeptRun {
	try {
		const run: unknown = JSON.parse(text);
		if (isRun(run)) return run;
	} catch {
		// The error below covers this file as well.
	}
	throw new CwlError("bad-run", `${path} holds no run of version 3: remove it, and it is run again.`);
}

function isRun(value: unknown): value is KeptRun {
	return (
		typeof value === "object" &&
		value !== null &&
		"version" in value &&
		value.version === 3 &&
		"figures" in value
	);
}
