/** A list of any length of tasks on the scratch repository of the same seed. */

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RepositoryAssignment } from "./assignment.ts";
import { surroundWithChatter } from "./chatter.ts";
import { draftAdjustment, draftFormerName, draftMatch, draftReuse, draftUndo } from "./linked-tasks.ts";
import type { MemoryDraft } from "./memory/memory-world.ts";
import { phraseAssignment } from "./phrasing.ts";
import { createRandom, type Random } from "./random.ts";
import type { Solution } from "./solution.ts";
import {
	type Drafter,
	draftBug,
	draftConstant,
	draftIntroduction,
	draftOption,
	draftQuestion,
	draftRename,
} from "./task-generators.ts";
import { createWorld, type World } from "./world.ts";

export interface Task {
	/** Its number and kind, such as `task-004-rename`. */
	readonly id: string;
	readonly prompt: string;
	/** The files that it may change. */
	readonly files: readonly string[];
	/** Returns true if the task is done. Call it at the end of its turn, because a later task may change the same place. */
	readonly verify: (directory: string) => Promise<boolean>;
	/** Writes outside of the work tree what the task needs. Call it before its turn, on a clean work tree. */
	readonly prepare: (directory: string) => Promise<void>;
	/** Writes the reference solution. The repository has to be as it was before the task. */
	readonly solve: (directory: string) => Promise<void>;
}

export type RepositoryKind = RepositoryAssignment["type"];

const DRAFTERS = {
	constant: draftConstant,
	bug: draftBug,
	rename: draftRename,
	option: draftOption,
	introduce: draftIntroduction,
	adjust: draftAdjustment,
	question: draftQuestion,
	reuse: draftReuse,
	match: draftMatch,
	undo: draftUndo,
	formerly: draftFormerName,
} as const satisfies Readonly<Record<RepositoryKind, Drafter>>;

/** One round of kinds. A third of them (adjust, reuse) need a fact from an earlier task, which the files hold. */
const ROUND: readonly RepositoryKind[] = [
	"introduce",
	"question",
	"rename",
	"adjust",
	"option",
	"bug",
	"reuse",
	"constant",
	"adjust",
];

/**
 * One round of all kinds, a third of which need an earlier task. `undo` and `formerly` need what the files no longer
 * hold: it is in the session, or in the git history of a harness that commits after each task.
 */
export const LINKED_ROUND: readonly RepositoryKind[] = [
	"introduce",
	"rename",
	"bug",
	"adjust",
	"option",
	"introduce",
	"undo",
	"question",
	"match",
	"rename",
	"formerly",
	"constant",
	"introduce",
	"bug",
	"reuse",
	"rename",
	"adjust",
	"question",
];
const ATTEMPTS = 20;

export interface TaskOptions {
	/** The kinds of a round; after the first, each round is shuffled. */
	readonly round?: readonly RepositoryKind[];
	/** True for prompts of the bare request, without other text around it. */
	readonly isTerse?: boolean;
}

/**
 * The first `count` tasks of a seed, in order; a longer list starts with the shorter one. No two have the same
 * prompt. The checks expect the repository of `createScratchRepository` with the same seed.
 */
export function makeTasks(
	seed: number,
	count: number,
	{ round: kinds = ROUND, isTerse = false }: TaskOptions = {},
): readonly Task[] {
	const random = createRandom(seed ^ 0x7a5c);
	const world = createWorld(seed);
	const asked = new Set<string>();
	const tasks: Task[] = [];
	let round = kinds;
	for (let index = 0; index < count; index += 1) {
		const position = index % kinds.length;
		if (index > 0 && position === 0) round = random.shuffle(kinds);
		const draft = drawDraft(random, world, round[position] ?? "constant", asked);
		draft.apply();
		tasks.push(makeTask(random, index, draft, isTerse));
	}
	return tasks;
}

/** The task of a draft at its place in the list, counted from 0. */
export function makeTask(random: Random, index: number, draft: MemoryDraft, isTerse: boolean): Task {
	const { assignment, solution, verify, prepare, solve } = draft;
	const request = random.pick(phraseAssignment(assignment));
	return {
		id: `task-${String(index + 1).padStart(3, "0")}-${assignment.type}`,
		prompt: isTerse ? request : surroundWithChatter(random, request),
		files: [...solution.keys()],
		verify,
		prepare: prepare ?? (async () => undefined),
		solve: solve ?? ((directory) => writeSolution(directory, solution)),
	};
}

/** A kind without fresh requests gives way to `constant`, which never runs out. Adds the request to `asked`. */
export function drawDraft(
	random: Random,
	world: World,
	kind: RepositoryKind,
	asked: Set<string>,
): MemoryDraft {
	for (let attempt = 0; ; attempt += 1) {
		const draft = DRAFTERS[attempt < ATTEMPTS ? kind : "constant"](random, world);
		const request = JSON.stringify(draft?.assignment);
		if (!draft || asked.has(request)) continue;
		asked.add(request);
		return draft;
	}
}

async function writeSolution(directory: string, solution: Solution): Promise<void> {
	for (const [name, edit] of solution) {
		const path = join(directory, name);
		await mkdir(dirname(path), { recursive: true });
		await writeFile(path, edit(await readFile(path, "utf8").catch(() => "")));
	}
}
