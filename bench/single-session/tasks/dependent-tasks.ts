/** Generates tasks that depend on facts or decisions of earlier ones, which the prompt does not repeat. */
import type { Random } from "#loopback";
import { describedNumber, type Solve } from "./checks.ts";
import { mentionsOf } from "./landmarks.ts";
import { type Drafter, draftQuestion, exactly, replaceWord, swapOperator } from "./task-generators.ts";
import { fresh, makeName } from "./vocabulary.ts";
import { type Introduced, packageOf, renamePaths } from "./world.ts";

export const draftAdjustment: Drafter = ({ random, world }) => {
	const constant = pickIfAny(random, world.introduced);
	if (!constant) return undefined;
	const value = random.between(1_000, 99_999);
	const { description, task } = constant;
	return {
		assignment: { type: "adjust", description, value },
		dependsOn: [task],
		...exactly(setNumber(constant, value)),
		apply: () => {
			constant.value = value;
		},
	};
};

function setNumber({ path, description }: Introduced, value: number): Solve {
	return (read) => new Map([[path, read(path).replace(describedNumber(description), `$1${value}`)]]);
}

export const draftMatch: Drafter = ({ random, world }) => {
	const constant = pickIfAny(random, world.introduced);
	const model = pickIfAny(random, world.introduced);
	if (!constant || !model || constant.value === model.value) return undefined;
	const { value } = model;
	return {
		assignment: { type: "match", description: constant.description, model: model.description },
		dependsOn: [constant.task, model.task],
		...exactly(setNumber(constant, value)),
		apply: () => {
			constant.value = value;
		},
	};
};

export const draftRecollection: Drafter = ({ random, world }) => {
	const constant = pickIfAny(random, world.introduced);
	if (!constant) return undefined;
	const { description, value, task } = constant;
	return draftQuestion({ type: "ask", fact: "described", about: description }, String(value), [task]);
};

export const draftUndo: Drafter = ({ random, world, task }) => {
	const mended = pickIfAny(
		random,
		world.mended.filter(({ isMended }) => isMended),
	);
	if (!mended) return undefined;
	const { name, path, wrong, right } = mended;
	return {
		assignment: { type: "undo", name },
		dependsOn: [mended.task],
		...exactly(swapOperator(path, name, right, wrong)),
		apply: () => {
			mended.isMended = false;
			mended.task = task;
		},
	};
};

export const draftFormerName: Drafter = ({ random, world, task }) => {
	const renamed = pickIfAny(random, world.renamed);
	if (!renamed) return undefined;
	const { old, mark } = renamed;
	const paths = renamePaths(world, mark.name);
	const to = fresh(world.taken, () => makeName(random, mark.name));
	if (!paths || mentionsOf(world.files, to).length > 0) return undefined;
	return {
		assignment: { type: "formerly", old, to, folders: [packageOf(mark.path)] },
		dependsOn: [renamed.task],
		...exactly(replaceWord(paths, mark.name, to)),
		apply: () => {
			world.renamed.splice(world.renamed.indexOf(renamed), 1);
			world.renamed.push({ old: mark.name, mark: { ...mark, name: to }, task });
		},
	};
};

function pickIfAny<T>(random: Random, items: readonly T[]): T | undefined {
	return items.length > 0 ? random.pick(items) : undefined;
}
