/** Lists of any length of tasks on the scratch repository of the same seed: ordinary ones, and hard ones between them. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { phraseAssignment, type RepositoryKind, surroundWithChatter } from "../phrasing.ts";
import { createRandom, type Random } from "../random.ts";
import { MEMORY_DRAFTERS } from "./memory-drafts.ts";
import { followUp, REPOSITORY_DRAFTERS } from "./repository-drafts.ts";
import { createWorld, type Draft, FOLDERS, type Goals, type Question, type World } from "./world.ts";

export interface Task {
	/** Its number and kind, such as `task-004-rename`. */
	readonly id: string;
	readonly prompt: string;
	/** The files that it may change; any where left out. */
	readonly files?: readonly string[];
	/** Returns true if the task is done. Call it at the end of its turn, because a later task may change the same place. */
	readonly verify: (directory: string) => Promise<boolean>;
	/** Writes outside of the work tree what the task needs. Call it before its turn, on a clean work tree. */
	readonly prepare: (directory: string) => Promise<void>;
	/** Writes the reference solution. The repository has to be as it was before the task. */
	readonly solve: (directory: string) => Promise<void>;
}

/** A round of kinds as one line. */
const round = (kinds: string): readonly RepositoryKind[] =>
	kinds.split(" ").filter((kind): kind is RepositoryKind => kind in REPOSITORY_DRAFTERS);

/** One round of kinds. A third of them (adjust, reuse) need a fact from an earlier task, which the files hold. */
const ROUND = round("introduce question rename adjust option bug reuse constant adjust");

/**
 * One round of all kinds, a third of which need an earlier task. `undo` and `formerly` need what the files no longer
 * hold: it is in the session, or in the git history of a harness that commits after each task.
 */
export const LINKED_ROUND = round(
	"introduce rename bug adjust option introduce undo question match rename formerly constant introduce bug reuse rename adjust question",
);

type HardKind = keyof typeof MEMORY_DRAFTERS | RepositoryKind;

/** One round of hard tasks that are no questions, between ordinary tasks that fill the context. */
const HARD_ROUND: readonly HardKind[] = [
	...(["deploy", "told", "introduce", "show", "decide", "deploy"] as const),
	...(["told", "rename", "bug", "deploy", "decide", "adjust"] as const),
];

/** Questions in a row, however many are due. */
const MAX_ASKED = 2;

/** The tasks between a fact and a question about it: sixty on average. */
const FAR_AWAY = { low: 45, high: 75 };

const ATTEMPTS = 20;

/** Yields the kinds of a round; after the first, each round is shuffled. */
function createRound<K>(random: Random, kinds: readonly K[]): () => K | undefined {
	let order = kinds;
	let drawn = 0;
	return () => {
		const position = drawn % kinds.length;
		if (drawn > 0 && position === 0) order = random.shuffle(kinds);
		drawn += 1;
		return order[position];
	};
}

/** Two of three tasks that can be followed up are, which makes a quarter of a linked list follow-ups: half of its kinds can. */
const FOLLOWED = { of: 3, first: 2 };

/**
 * The first `count` tasks of a seed, in order; a longer list starts with the shorter one. No two have the same
 * prompt, except for follow-ups. The checks expect the repository of `createScratchRepository` with the same seed.
 */
export function makeTasks(seed: number, count: number, kinds = ROUND, hasFollowUps = false): readonly Task[] {
	const random = createRandom(seed ^ 0x7a5c);
	const world = createWorld(seed);
	const nextKind = createRound(random, kinds);
	const asked = new Set<string>();
	/** The task that the next one may follow up; never itself a follow-up. */
	let last: Draft | undefined;
	return Array.from({ length: count }, (_, index) => {
		const next =
			hasFollowUps && last && random.between(1, FOLLOWED.of) <= FOLLOWED.first
				? followUp(random, world, last)
				: undefined;
		const draft = next ?? drawDraft(random, world, nextKind() ?? "constant", asked);
		last = next ? undefined : draft;
		draft.apply();
		return makeTask(random, index, draft);
	});
}

/** A kind without fresh requests gives way to `constant`, which never runs out. Adds the request to `asked`. */
function drawDraft(random: Random, world: World, kind: RepositoryKind, asked: Set<string>): Draft {
	for (let attempt = 0; ; attempt += 1) {
		const draft = REPOSITORY_DRAFTERS[attempt < ATTEMPTS ? kind : "constant"](random, world);
		const request = JSON.stringify(draft?.assignment);
		if (!draft || asked.has(request)) continue;
		asked.add(request);
		return draft;
	}
}

/** The task of a draft at its place in the list, counted from 0. */
function makeTask(random: Random, index: number, draft: Draft): Task {
	const { assignment, goals, formerName, beyondFiles } = draft;
	return {
		id: `task-${String(index + 1).padStart(3, "0")}-${assignment.type}`,
		prompt: surroundWithChatter(random, random.pick(phraseAssignment(assignment))),
		files: [...goals.keys()],
		prepare: async () => undefined,
		verify: async (directory) =>
			(await isReached(directory, goals)) &&
			(formerName === undefined || !(await isMentioned(directory, formerName))),
		solve: (directory) => reach(directory, goals),
		...beyondFiles,
	};
}

/** The text of a file; "" if there is none. */
const readText = (path: string): Promise<string> => readFile(path, "utf8").catch(() => "");

async function isReached(directory: string, goals: Goals): Promise<boolean> {
	const reached = [...goals].map(async ([name, goal]) => {
		const text = await readText(join(directory, name));
		return goal(text) === text;
	});
	return (await Promise.all(reached)).every(Boolean);
}

/** Writes the reference solution. */
async function reach(directory: string, goals: Goals): Promise<void> {
	for (const [name, goal] of goals) {
		const path = join(directory, name);
		const wanted = goal(await readText(path));
		if (wanted === undefined) throw new Error(`${path} is not as the task expects it`);
		await mkdir(dirname(path), { recursive: true });
		await writeFile(path, wanted);
	}
}

/** Returns true if any file of the folders in which functions are renamed has this word. */
async function isMentioned(directory: string, word: string): Promise<boolean> {
	const pattern = new RegExp(`\\b${word}\\b`);
	const paths = FOLDERS.map(async (folder) => {
		const names = await readdir(join(directory, folder), { recursive: true });
		return names.map((name) => join(directory, folder, name));
	});
	const texts = await Promise.all((await Promise.all(paths)).flat().map(readText));
	return texts.some((text) => pattern.test(text));
}

/**
 * The first `count` hard tasks of a seed, in order: facts that only a person said or a log showed, needed much later. A
 * longer list starts with the shorter one. The checks expect the repository of the same seed and the deploy script.
 */
export function makeHardTasks(seed: number, count: number, distance = FAR_AWAY): readonly Task[] {
	const random = createRandom(seed ^ 0x3c91);
	const world = createWorld(seed);
	const nextKind = createRound(random, HARD_ROUND);
	const requested = new Set<string>();
	const nextOther = (): Draft | undefined => {
		const kind = nextKind() ?? "told";
		return kind in MEMORY_DRAFTERS
			? MEMORY_DRAFTERS[kind as keyof typeof MEMORY_DRAFTERS](random, world)
			: drawDraft(random, world, kind as RepositoryKind, requested);
	};
	const tasks: Task[] = [];
	/** `from` is the index of the first task that may ask the question. */
	let due: readonly (Question & { readonly from: number })[] = [];
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
			from: index + (question.isNext ? 1 : random.between(distance.low, distance.high)),
		}));
		due = [...due, ...added].toSorted((a, b) => a.from - b.from);
		tasks.push(makeTask(random, index, draft));
	}
	return tasks;
}

/** The facts of a recall list, each of which is asked for at its end. */
const RECALLED_FACTS = 10;
const FACT_KINDS = ["told", "show", "decide", "deploy"] as const;

/**
 * Ten tasks that each give a fact which no file holds, then ordinary ones, then ten that each need one of the facts: `count`
 * in all. The checks expect the repository of the same seed and the deploy script.
 */
export function makeRecallTasks(seed: number, count: number): readonly Task[] {
	const random = createRandom(seed ^ 0x51f7);
	const world = createWorld(seed);
	const requested = new Set<string>();
	const nextKind = createRound(random, LINKED_ROUND);
	const questions: Question[] = [];
	return Array.from({ length: count }, (_, index) => {
		const asked = questions[index - (count - RECALLED_FACTS)];
		const kind = FACT_KINDS[index % FACT_KINDS.length] ?? "told";
		let draft: Draft | undefined;
		while (!draft) {
			if (asked) draft = asked.draft();
			else if (index < RECALLED_FACTS) draft = MEMORY_DRAFTERS[kind](random, world);
			else draft = drawDraft(random, world, nextKind() ?? "constant", requested);
		}
		draft.apply();
		if (index < RECALLED_FACTS) questions.push(...(draft.questions ?? []).slice(0, 1));
		return makeTask(random, index, draft);
	});
}
