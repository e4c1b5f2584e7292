/** The tasks of a seed, on the source trees as installed. */
import { countTokens, createRandom, phraseAssignment } from "#loopback";
import type { Check, Solve } from "./checks.ts";
import {
	draftAdjustment,
	draftFormerName,
	draftMatch,
	draftRecollection,
	draftUndo,
} from "./dependent-tasks.ts";
import type { Files } from "./landmarks.ts";
import { drawLengths } from "./lengths.ts";
import { writePrompt } from "./prompts.ts";
import {
	type Draft,
	type Drafter,
	type Drawing,
	draftBug,
	draftExport,
	draftHome,
	draftIntroduction,
	draftMentions,
	draftRename,
} from "./task-generators.ts";
import { applySolution, createWorld } from "./world.ts";

export interface BenchTask {
	/** Its number from 1, and its kind, such as `004-rename`. */
	readonly id: string;
	readonly prompt: string;
	/** Tokens of the prompt. */
	readonly tokens: number;
	/** The ids of the tasks whose facts or decisions it depends on. */
	readonly dependsOn: readonly string[];
	/** Returns true if the task is done. Call it before the next commit. */
	readonly check: Check;
	/** The reference solution, on top of the last commit. */
	readonly solve: Solve;
	/** The reference answer to a question. */
	readonly answer: string | undefined;
}

export interface TaskList {
	/** The initial files that differ from the packages, by path. */
	readonly planted: Files;
	readonly tasks: readonly BenchTask[];
}

export interface TaskOptions {
	readonly seed: number;
	readonly count: number;
	readonly files: Files;
	/** Returns true for modules that can be required on their own. */
	readonly loadable: (path: string) => boolean;
	/** True for prompts of the bare request, for sessions whose user turns would not fit the budget otherwise. */
	readonly isTerse: boolean;
}

/** One round of kinds; a third of them depend on earlier tasks. */
const ROUND: readonly Drafter[] = [
	draftIntroduction,
	draftRename,
	draftBug,
	draftAdjustment,
	draftExport,
	draftIntroduction,
	draftUndo,
	draftHome,
	draftMatch,
	draftRename,
	draftFormerName,
	draftMentions,
	draftIntroduction,
	draftBug,
	draftRecollection,
	draftRename,
	draftAdjustment,
	draftExport,
];
const ATTEMPTS = 60;

/** The first `count` tasks of a seed, in order. No two ask for the same. */
export function makeTasks({ seed, count, files, loadable, isTerse }: TaskOptions): TaskList {
	const random = createRandom(seed ^ 0x51e5);
	const world = createWorld(files, loadable);
	const lengths = drawLengths(random, count);
	const ids: string[] = [];
	let round: readonly Drafter[] = ROUND;
	const tasks = lengths.map((length, index): BenchTask => {
		const position = index % ROUND.length;
		if (index > 0 && position === 0) round = random.shuffle(ROUND);
		const drawing = { random, world, initial: files, task: index };
		const draft = draw(drawing, round[position] ?? draftIntroduction);
		ids.push(`${String(index + 1).padStart(3, "0")}-${draft.assignment.type}`);
		draft.apply?.();
		applySolution(world, draft.solve);
		const request = random.pick(phraseAssignment(draft.assignment));
		const excerpt = world.files.get(random.pick(world.landmarks.open)) ?? "";
		const prompt = isTerse ? request : writePrompt(random, request, length, excerpt);
		return {
			id: ids.at(-1) ?? "",
			prompt,
			tokens: countTokens(prompt),
			dependsOn: [...new Set(draft.dependsOn)].map((task) => ids[task] ?? ""),
			check: draft.check,
			solve: draft.solve,
			answer: draft.answer,
		};
	});
	return { planted: world.planted, tasks };
}

/** A kind without a task to offer gives way to an introduction, which always has one. */
function draw(drawing: Drawing, drafter: Drafter): Draft {
	for (let attempt = 0; ; attempt += 1) {
		const draft = (attempt < ATTEMPTS ? drafter : draftIntroduction)(drawing);
		if (draft) return draft;
	}
}
