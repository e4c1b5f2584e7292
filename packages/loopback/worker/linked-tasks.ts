/** Generates tasks that need a fact or decision of an earlier task, which the prompt does not repeat. */

import { constantsPath } from "./layout.ts";
import type { Random } from "./random.ts";
import * as solution from "./solution.ts";
import { compares, type Draft, type Drafter, FOLDERS, newFunctionName, renames } from "./task-generators.ts";
import { hasConstant, hasDescribedConstant } from "./verification.ts";
import { functionKey, type Introduced, type LivingFunction, type World } from "./world.ts";

export const draftAdjustment: Drafter = (random, world) => {
	const constant = pickIfAny(random, world.introduced);
	if (!constant) return undefined;
	const value = random.between(1_000, 9_999);
	const { description } = constant;
	return { assignment: { type: "adjust", description, value }, ...revalues(constant, value) };
};

export const draftMatch: Drafter = (random, world) => {
	const constant = pickIfAny(random, world.introduced);
	const model = pickIfAny(random, world.introduced);
	if (!constant || !model || constant.value === model.value) return undefined;
	const { description } = constant;
	return {
		assignment: { type: "match", description, model: model.description },
		...revalues(constant, model.value),
	};
};

/** Solution, check and effect of a task that gives a described constant another value. */
function revalues(constant: Introduced, value: number): Omit<Draft, "assignment"> {
	const { description, module } = constant;
	const path = constantsPath(module);
	return {
		solution: new Map([[path, solution.setDescribedConstant(description, value)]]),
		verify: hasDescribedConstant(path, description, value),
		apply: () => {
			constant.value = value;
		},
	};
}

export const draftReuse: Drafter = (random, world) => {
	const [noted, value] = pickIfAny(random, [...world.notes]) ?? [];
	if (noted === undefined || value === undefined) return undefined;
	const fact = random.pick([...world.constants.values()].filter(({ name }) => name !== noted));
	const path = constantsPath(fact.module);
	return {
		assignment: { type: "reuse", noted, name: fact.name },
		solution: new Map([[path, solution.setConstant(fact.name, value)]]),
		verify: hasConstant(path, fact.name, value),
		apply: () => world.constants.set(fact.name, { ...fact, value }),
	};
};

export const draftUndo: Drafter = (random, world) => {
	const fact = pickFunction(random, world, ({ formerOperator }) => formerOperator !== undefined);
	if (!fact?.formerOperator) return undefined;
	const { name, formerOperator: operator } = fact;
	return {
		assignment: { type: "undo", name },
		...compares(fact, operator),
		apply: () => world.functions.set(functionKey(fact), { ...fact, operator, formerOperator: undefined }),
	};
};

export const draftFormerName: Drafter = (random, world) => {
	const fact = pickFunction(random, world, ({ formerName }) => formerName !== undefined);
	if (!fact?.formerName) return undefined;
	const to = newFunctionName(random, world, fact);
	return {
		assignment: { type: "formerly", old: fact.formerName, to, folders: FOLDERS },
		...renames(world, fact, to),
	};
};

function pickFunction(random: Random, world: World, isFit: (fact: LivingFunction) => boolean) {
	return pickIfAny(random, [...world.functions.values()].filter(isFit));
}

function pickIfAny<T>(random: Random, items: readonly T[]): T | undefined {
	return items.length > 0 ? random.pick(items) : undefined;
}
