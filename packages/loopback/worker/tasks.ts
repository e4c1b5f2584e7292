/** A list of any length of tasks on the scratch repository of the same seed. */

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Assignment } from "./assignment.ts";
import { surroundWithChatter } from "./chatter.ts";
import { draftAdjustment, draftFormerName, draftMatch, draftReuse, draftUndo } from "./linked-tasks.ts";
import { phraseAssignment } from "./phrasing.ts";
import { createRandom, type Random } from "./random.ts";
import type { Solution } from "./solution.ts";
import {
	type Draft,
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
	/** Writes the reference solution. The repository has to be as it was before the task. */
	readonly solve: (directory: string) => Promise<void>;
}

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
} as const satisfies Readonly<Record<Assignment["type"], Drafter>>;

/** One round of kinds. A third of them (adjust, reuse) need a fact from an earlier task, which the files hold. */
const ROUND: readonly Assignment["type"][] = [
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
export const LINKED_ROUND: readonly Assignment["type"][] = [
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
	readonly round?: readonly Assignment["type"][];
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
		asked.add(JSON.stringify(draft.assignment));
		draft.apply();
		const { assignment, solution, verify } = draft;
		const request = random.pick(phraseAssignment(assignment));
		tasks.push({
			id: `task-${String(index + 1).padStart(3, "0")}-${assignment.type}`,
			prompt: isTerse ? request : surroundWithChatter(random, request),
			files: [...solution.keys()],
			verify,
			solve: (directory) => writeSolution(directory, solution),
		});
	}
	return tasks;
}

/** A kind without fresh requests gives way to `constant`, which never runs out. */
function drawDraft(
	random: Random,
	world: World,
	kind: keyof typeof DRAFTERS,
	asked: ReadonlySet<string>,
): Draft {
	for (let attempt = 0; ; attempt += 1) {
		const draft = DRAFTERS[attempt < ATTEMPTS ? kind : "constant"](random, world);
		if (draft && !asked.has(JSON.stringify(draft.assignment))) return draft;
	}
}

async function writeSolution(directory: string, solution: Solution): Promise<void> {
	for (const [name, edit] of solution) {
		const path = join(directory, name);
		await mkdir(dirname(path), { recursive: true });
		await writeFile(path, edit(await readFile(path, "utf8").catch(() => "")));
	}
}
