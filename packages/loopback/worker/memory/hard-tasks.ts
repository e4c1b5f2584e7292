/**
 * The hard tasks: facts that only a person said or a log showed, needed about sixty tasks later, between ordinary tasks
 * that fill the context.
 */

import { createRandom, type Random } from "../random.ts";
import { drawDraft, makeTask, type RepositoryKind, type Task, type TaskOptions } from "../tasks.ts";
import { createWorld } from "../world.ts";
import { draftDecision, draftDeployment, draftShow, draftTold, type FactDrafter } from "./fact-generators.ts";
import type { MemoryDraft, MemoryWorld, Question } from "./memory-world.ts";

const FACTS = {
	told: draftTold,
	show: draftShow,
	decide: draftDecision,
	deploy: draftDeployment,
} as const satisfies Readonly<Record<string, FactDrafter>>;

/** One round of tasks that are no questions; after the first, each round is shuffled. */
const ROUND: readonly (keyof typeof FACTS | RepositoryKind)[] = [
	"deploy",
	"told",
	"introduce",
	"show",
	"decide",
	"deploy",
	"told",
	"rename",
	"bug",
	"deploy",
	"decide",
	"adjust",
];
/** Questions in a row, however many are due. */
const MAX_ASKED = 2;

/** Sixty tasks on average. */
const FAR_AWAY = { low: 45, high: 75 };

export interface HardTaskOptions extends Pick<TaskOptions, "isTerse"> {
	/** The tasks between a fact and a question about it; 45 to 75 by default. */
	readonly distance?: { readonly low: number; readonly high: number };
}

interface Due extends Question {
	/** The index of the first task that may ask it. */
	readonly from: number;
}

/**
 * The first `count` hard tasks of a seed, in order; a longer list starts with the shorter one. The checks expect the
 * repository of `createScratchRepository` with the same seed and the deploy script.
 */
export function makeHardTasks(
	seed: number,
	count: number,
	{ isTerse = false, distance = FAR_AWAY }: HardTaskOptions = {},
): readonly Task[] {
	const random = createRandom(seed ^ 0x3c91);
	const world: MemoryWorld = {
		...createWorld(seed),
		told: [],
		deployments: [],
		distance: () => random.between(distance.low, distance.high),
	};
	const nextOther = createRound(random, world);
	const tasks: Task[] = [];
	let due: readonly Due[] = [];
	let asked = 0;
	while (tasks.length < count) {
		const index = tasks.length;
		const next = asked < MAX_ASKED ? due.find(({ from }) => from <= index) : undefined;
		due = due.filter((question) => question !== next);
		const draft = next ? next.draft() : nextOther();
		if (!draft) continue;
		asked = next ? asked + 1 : 0;
		draft.apply();
		const added = (draft.questions ?? []).map((question) => ({
			...question,
			from: index + question.distance,
		}));
		due = [...due, ...added].toSorted((a, b) => a.from - b.from);
		tasks.push(makeTask(random, index, draft, isTerse));
	}
	return tasks;
}

function createRound(random: Random, world: MemoryWorld): () => MemoryDraft | undefined {
	const requested = new Set<string>();
	let round = ROUND;
	let drawn = 0;
	return () => {
		const position = drawn % ROUND.length;
		if (drawn > 0 && position === 0) round = random.shuffle(ROUND);
		drawn += 1;
		const kind = round[position] ?? "told";
		return kind in FACTS
			? FACTS[kind as keyof typeof FACTS](random, world)
			: drawDraft(random, world, kind as RepositoryKind, requested);
	};
}
