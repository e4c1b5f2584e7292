/** Lists of any length of tasks on the scratch repository of the same seed: ordinary ones, and hard ones between them. */
import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Goal, goalOf } from "../edits.ts";
import { fill, kindOf, phraseAssignment, surroundWithChatter } from "../kinds.ts";
import { createRandom, type Random } from "../random.ts";
import { writeSource } from "../repository.ts";
import { pathsOf } from "../storefront.ts";
import { DRAFTERS } from "./drafts.ts";
import { createWorld, type Draft, type Question, type Task } from "./world.ts";

/** A round of kinds as one line. */
const roundOf = (kinds: string): readonly string[] => kinds.split(" ");

/** One round of kinds. A third of them (adjust, reuse) need a fact from an earlier task, which the files hold. */
const ROUND = roundOf("introduce question rename adjust option bug reuse constant adjust");

/**
 * One round of all kinds, a third of which need an earlier task. `undo` and `formerly` need what the files no longer
 * hold: it is in the session, or in the git history of a harness that commits after each task.
 */
export const LINKED_ROUND = roundOf(
	"introduce rename bug adjust option introduce undo question match rename formerly constant introduce bug reuse rename adjust question",
);

/** One round of hard tasks that are no questions, between ordinary tasks that fill the context. */
const HARD_ROUND = roundOf("deploy told introduce show decide deploy told rename bug deploy decide adjust");
/** Questions in a row, however many are due. */
const MAX_ASKED = 2;
/** The tasks between a fact and a question about it: sixty on average. */
const FAR_AWAY = { low: 45, high: 75 };

/** The facts of a recall list, each of which is asked for at its end. */
const RECALLED_FACTS = 10;
/** The kinds that give a fact; their drafts are fresh by themselves. */
const FACT_ROUND = roundOf("told show decide deploy");

/** Two of three tasks that can be followed up are, which makes a quarter of a linked list follow-ups: half of its kinds can. */
const FOLLOWED = { of: 3, first: 2 };

const ATTEMPTS = 20;

/** Drafts the next task of a list; a function that fails is called again. */
type Planner = (index: number) => Draft | undefined;

/** The tasks of drafts in their order. */
function listTasks(
	seed: number,
	{ count, salt }: { readonly count: number; readonly salt: number },
	plan: (random: Random, draw: (kind?: string) => Draft | undefined) => Planner,
): readonly Task[] {
	const random = createRandom(seed ^ salt);
	const world = createWorld(seed);
	const requested = new Set<string>();
	/** A draft of a kind. One without fresh requests gives way to `constant`, which never runs out. */
	const draw = (kind = "constant"): Draft | undefined => {
		if (FACT_ROUND.includes(kind)) return DRAFTERS[kind]?.(random, world);
		for (let attempt = 0; ; attempt += 1) {
			const draft = DRAFTERS[attempt < ATTEMPTS ? kind : "constant"]?.(random, world);
			const request = JSON.stringify(draft?.assignment);
			if (!draft || requested.has(request)) continue;
			requested.add(request);
			return draft;
		}
	};
	const next = plan(random, draw);
	return Array.from({ length: count }, (_, index) => {
		let draft = next(index);
		while (!draft) draft = next(index);
		draft.apply?.();
		return makeTask(random, index, draft);
	});
}

/** Yields the kinds of a round without end; after the first, each round is shuffled. */
function* repeatRound(random: Random, kinds: readonly string[]): Generator<string, never> {
	for (let order = kinds; ; order = random.shuffle(kinds)) yield* order;
}

/**
 * The first `count` tasks of a seed, in order; a longer list starts with the shorter one. No two have the same
 * prompt, except for follow-ups. The checks expect the repository of `createScratchRepository` with the same seed.
 */
export function makeTasks(
	seed: number,
	count: number,
	kinds: readonly string[] = ROUND,
	hasFollowUps = false,
): readonly Task[] {
	return listTasks(seed, { count, salt: 0x7a5c }, (random, draw) => {
		const round = repeatRound(random, kinds);
		/** The task that the next one may follow up; never itself a follow-up. */
		let last: Draft | undefined;
		return () => {
			const next =
				hasFollowUps && last && random.between(1, FOLLOWED.of) <= FOLLOWED.first
					? last.followUp?.()
					: undefined;
			const draft = next ?? draw(round.next().value);
			last = next ? undefined : draft;
			return draft;
		};
	});
}

/**
 * The first `count` hard tasks of a seed, in order: facts that only a person said or a log showed, needed much later. A
 * longer list starts with the shorter one. The checks expect the repository of the same seed and the deploy script.
 */
export function makeHardTasks(seed: number, count: number, distance = FAR_AWAY): readonly Task[] {
	return listTasks(seed, { count, salt: 0x3c91 }, (random, draw) => {
		const round = repeatRound(random, HARD_ROUND);
		/** `from` is the index of the first task that may ask the question. */
		let due: readonly { readonly ask: Question; readonly from: number }[] = [];
		let asked = 0;
		return (index) => {
			const next = asked < MAX_ASKED ? due.find(({ from }) => from <= index) : undefined;
			due = due.filter((question) => question !== next);
			const draft = next ? next.ask() : draw(round.next().value);
			if (!draft) return undefined;
			asked = next ? asked + 1 : 0;
			const { questions = [], nextQuestion } = draft;
			const later = () => index + random.between(distance.low, distance.high);
			const added = questions.map((ask) => ({ ask, from: later() }));
			const soon = nextQuestion ? [{ ask: nextQuestion, from: index + 1 }] : [];
			due = [...due, ...added, ...soon].toSorted((a, b) => a.from - b.from);
			return draft;
		};
	});
}

/**
 * Ten tasks that each give a fact which no file holds, then ordinary ones, then ten that each need one of the facts: `count`
 * in all. The checks expect the repository of the same seed and the deploy script.
 */
export function makeRecallTasks(seed: number, count: number): readonly Task[] {
	return listTasks(seed, { count, salt: 0x51f7 }, (random, draw) => {
		const round = repeatRound(random, LINKED_ROUND);
		const questions: Question[] = [];
		return (index) => {
			const ask = questions[index - (count - RECALLED_FACTS)];
			if (ask) return ask();
			if (index >= RECALLED_FACTS) return draw(round.next().value);
			const draft = draw(FACT_ROUND[index % FACT_ROUND.length]);
			questions.push(...(draft?.questions ?? []).slice(0, 1));
			return draft;
		};
	});
}

/** The goal of each file that a task changes, by path. */
function goalsOf({ assignment, facts = {}, paths = [] }: Draft): ReadonlyMap<string, Goal> {
	const fields = { ...assignment, ...facts };
	const { edits = [] } = kindOf(assignment);
	const files = new Map(Object.entries(pathsOf(String(facts.module))));
	return new Map(
		edits.flatMap((edit) => {
			const own = edit.word
				? paths
				: [edit.path ? fill(edit.path, fields) : (files.get(edit.file ?? "") ?? "")];
			return own.map((path) => [path, goalOf(edit, fields)] as const);
		}),
	);
}

/** The task of a draft at its place in the list, counted from 0. */
function makeTask(random: Random, index: number, draft: Draft): Task {
	const { assignment, waiting } = draft;
	const goals = goalsOf(draft);
	/** Each file with its text, "" if there is none, and the text as it should be. */
	const compare = (directory: string) =>
		Promise.all(
			[...goals].map(async ([path, goal]) => {
				const text = await readFile(join(directory, path), "utf8").catch(() => "");
				return { path, text, wanted: goal(text) };
			}),
		);
	return {
		id: `task-${String(index + 1).padStart(3, "0")}-${kindOf(assignment).id ?? assignment.type}`,
		prompt: surroundWithChatter(random, random.pick(phraseAssignment(assignment))),
		files: [...goals.keys()],
		prepare: async (directory) => waiting && writeSource(directory, waiting),
		async verify(directory) {
			if (waiting && existsSync(join(directory, waiting.path))) return false;
			return (await compare(directory)).every(({ text, wanted }) => text === wanted);
		},
		async solve(directory) {
			if (waiting) await rm(join(directory, waiting.path), { force: true });
			for (const { path, wanted } of await compare(directory)) {
				if (wanted === undefined) throw new Error(`${path} is not as the task expects it`);
				await writeSource(directory, { path, text: wanted });
			}
		},
	};
}
