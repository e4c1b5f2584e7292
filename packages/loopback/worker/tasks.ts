/** A list of any length of tasks on the scratch repository of the same seed. */

import { surroundWithChatter } from "./chatter.ts";
import { phraseAssignment } from "./phrasing.ts";
import { createRandom, type Random } from "./random.ts";
import { DRAFTERS, type Draft } from "./task-generators.ts";
import { createWorld, type World } from "./world.ts";

export interface Task {
	/** Its number and kind, such as `task-004-rename`. */
	readonly id: string;
	readonly prompt: string;
	/** Returns true if the task is done. Call it at the end of its turn, because a later task may change the same place. */
	readonly verify: (directory: string) => Promise<boolean>;
}

type Kind = keyof typeof DRAFTERS;

/** One round of kinds. A third of them (adjust, reuse) need a fact from an earlier task. */
const ROUND: readonly Kind[] = [
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
const ATTEMPTS = 20;

/**
 * The first `count` tasks of a seed, in order; a longer list starts with the shorter one. No two have the same
 * prompt. The checks expect the repository of `createScratchRepository` with the same seed.
 */
export function makeTasks(seed: number, count: number): readonly Task[] {
	const random = createRandom(seed ^ 0x7a5c);
	const world = createWorld(seed);
	const asked = new Set<string>();
	const tasks: Task[] = [];
	let round: readonly Kind[] = ROUND;
	for (let index = 0; index < count; index += 1) {
		const position = index % ROUND.length;
		if (index > 0 && position === 0) round = random.shuffle(ROUND);
		const draft = drawDraft(random, world, round[position] ?? "constant", asked);
		asked.add(JSON.stringify(draft.assignment));
		draft.apply();
		const { assignment, verify } = draft;
		const prompt = surroundWithChatter(random, random.pick(phraseAssignment(assignment)));
		tasks.push({ id: `task-${String(index + 1).padStart(3, "0")}-${assignment.type}`, prompt, verify });
	}
	return tasks;
}

/** A kind without fresh requests gives way to `constant`, which never runs out. */
function drawDraft(random: Random, world: World, kind: Kind, asked: ReadonlySet<string>): Draft {
	for (let attempt = 0; ; attempt += 1) {
		const draft = DRAFTERS[attempt < ATTEMPTS ? kind : "constant"](random, world);
		if (draft && !asked.has(JSON.stringify(draft.assignment))) return draft;
	}
}
