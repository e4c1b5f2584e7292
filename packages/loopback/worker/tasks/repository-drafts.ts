/** Generates tasks that the repository answers, and tasks that need a fact or decision of an earlier one, which the prompt does not repeat. */

import {
	addConstant,
	addEntry,
	addField,
	addLine,
	replaceWord,
	setConstant,
	setDescribedConstant,
	setOperator,
	takeFromSettings,
} from "../goals.ts";
import type { RepositoryKind } from "../phrasing.ts";
import type { Random } from "../random.ts";
import {
	configPath,
	constantsPath,
	type Operator,
	servicePath,
	settingsPath,
	settingsType,
} from "../storefront.ts";
import TEXTS from "../texts.json" with { type: "json" };
import {
	type Draft,
	type Drafter,
	FOLDERS,
	freshName,
	functionKey,
	type Introduced,
	type LivingFunction,
	type World,
} from "./world.ts";

const OPERATORS: readonly Operator[] = ["<", "<=", ">", ">="];
const { verbs, suffixes, things, cases, units, knobs } = TEXTS.tasks;

/** Goal and effect of a task that gives a constant another value. */
export function revalue(world: World, name: string, value: number): Omit<Draft, "assignment"> | undefined {
	const fact = world.constants.get(name);
	if (!fact) return undefined;
	return {
		goals: new Map([[constantsPath(fact.module), setConstant(name, value)]]),
		apply: () => world.constants.set(name, { ...fact, value }),
	};
}

function revalueDescribed(constant: Introduced, value: number): Omit<Draft, "assignment"> {
	const { description, module } = constant;
	return {
		goals: new Map([[constantsPath(module), setDescribedConstant(description, value)]]),
		apply: () => {
			constant.value = value;
		},
	};
}

function compare(
	world: World,
	fact: LivingFunction,
	operator: Operator,
	formerOperator?: Operator,
): Omit<Draft, "assignment"> {
	return {
		goals: new Map([[servicePath(fact.module), setOperator(fact.name, operator)]]),
		apply: () => world.functions.set(functionKey(fact), { ...fact, operator, formerOperator }),
	};
}

function rename(world: World, fact: LivingFunction, to: string): Omit<Draft, "assignment"> {
	const { name, paths } = fact;
	return {
		goals: new Map(paths.map((path) => [path, replaceWord(name, to)])),
		formerName: name,
		apply: () => {
			world.taken.add(to);
			const renamed = { ...fact, name: to, formerName: name, formerOperator: undefined };
			world.functions.set(functionKey(fact), renamed);
		},
	};
}

function adjust(constant: Introduced, value: number): Draft {
	const { description } = constant;
	return { assignment: { type: "adjust", description, value }, ...revalueDescribed(constant, value) };
}

function undo(world: World, fact: LivingFunction | undefined): Draft | undefined {
	if (!fact?.formerOperator) return undefined;
	return { assignment: { type: "undo", name: fact.name }, ...compare(world, fact, fact.formerOperator) };
}

/** Renames a function that the task calls by its name before the last renaming. */
function renameAgain(random: Random, world: World, fact: LivingFunction | undefined): Draft | undefined {
	if (!fact?.formerName) return undefined;
	const to = newFunctionName(random, world, fact);
	const assignment = { type: "formerly", old: fact.formerName, to, folders: FOLDERS } as const;
	return { assignment, ...rename(world, fact, to) };
}

function newFunctionName(random: Random, world: World, { noun }: LivingFunction): string {
	return freshName(world, () => `${random.pick(verbs)}${noun}${random.pick(["", ...suffixes])}`);
}

function pickIfAny<T>(random: Random, items: readonly T[]): T | undefined {
	return items.length > 0 ? random.pick(items) : undefined;
}

function askForFile(random: Random, world: World): Draft {
	const fact = random.pick([...world.functions.values()]);
	const notes = freshName(world, () => `notes/where-is-${fact.name.toLowerCase()}`);
	return {
		assignment: { type: "question", fact: "file", name: fact.name, notes: `${notes}.md` },
		goals: new Map([[`${notes}.md`, addLine(`${fact.name}: ${servicePath(fact.module)}`)]]),
		apply: () => world.taken.add(notes),
	};
}

export const REPOSITORY_DRAFTERS: Readonly<Record<RepositoryKind, Drafter>> = {
	constant(random, world) {
		const { name, value: present } = random.pick([...world.constants.values()]);
		const value = random.between(2, 9_999_999) % random.pick([500, 10_000, 10_000_000]);
		const effect = value === present ? undefined : revalue(world, name, value);
		return effect && { assignment: { type: "constant", name, value }, ...effect };
	},

	bug(random, world) {
		const fact = random.pick([...world.functions.values()]);
		const { name, operator: wrong } = fact;
		const right = random.pick(OPERATORS.filter((operator) => operator !== wrong));
		return { assignment: { type: "bug", name, wrong, right }, ...compare(world, fact, right, wrong) };
	},

	rename(random, world) {
		const fact = random.pick([...world.functions.values()]);
		const to = newFunctionName(random, world, fact);
		const assignment = { type: "rename", from: fact.name, to, folders: FOLDERS } as const;
		return { assignment, ...rename(world, fact, to) };
	},

	option(random, world) {
		const { module, name, local, noun } = random.pick([...world.functions.values()]);
		const others = world.options.get(module) ?? [];
		const option = freshName(world, () => `${noun.toLowerCase()}${random.pick(knobs)}`);
		const value = random.between(2, 900);
		const [config, type] = [configPath(module), settingsType(module)];
		return {
			assignment: { type: "option", option, value, config, settingsType: type, name, local },
			goals: new Map([
				[config, addEntry(option, value, others)],
				[settingsPath(module), addField(type, option)],
				[servicePath(module), takeFromSettings(name, local, option)],
			]),
			apply: () => {
				world.taken.add(option);
				world.options.set(module, [...others, option]);
			},
		};
	},

	introduce(random, world) {
		const module = random.pick(world.modules);
		const describe = () => `${random.pick(things)} for ${random.pick(cases)} in ${random.pick(units)}`;
		const description = freshName(world, describe);
		const value = random.between(2, 900);
		const path = constantsPath(module);
		return {
			assignment: { type: "introduce", description, value, path },
			goals: new Map([[path, addConstant(`ADDED_${world.introduced.length}`, description, value)]]),
			apply: () => {
				world.taken.add(description);
				world.introduced.push({ description, module, value });
			},
		};
	},

	question(random, world) {
		const { name, value } = random.pick([...world.constants.values()]);
		const notes = freshName(world, () => `notes/${name.toLowerCase().replaceAll("_", "-")}`);
		if (world.notes.has(name)) return askForFile(random, world);
		return {
			assignment: { type: "question", fact: "value", name, notes: `${notes}.md` },
			goals: new Map([[`${notes}.md`, addLine(`${name}: ${value}`)]]),
			apply: () => {
				world.taken.add(notes);
				world.notes.set(name, value);
			},
		};
	},

	adjust(random, world) {
		const constant = pickIfAny(random, world.introduced);
		return constant && adjust(constant, random.between(1_000, 9_999));
	},

	match(random, world) {
		const constant = pickIfAny(random, world.introduced);
		const model = pickIfAny(random, world.introduced);
		if (!constant || !model || constant.value === model.value) return undefined;
		const { description } = constant;
		const assignment = { type: "match", description, model: model.description } as const;
		return { assignment, ...revalueDescribed(constant, model.value) };
	},

	reuse(random, world) {
		const [noted, value] = pickIfAny(random, [...world.notes]) ?? [];
		if (noted === undefined || value === undefined) return undefined;
		const { name } = random.pick([...world.constants.values()].filter((fact) => fact.name !== noted));
		const effect = revalue(world, name, value);
		return effect && { assignment: { type: "reuse", noted, name }, ...effect };
	},

	undo(random, world) {
		const changed = [...world.functions.values()].filter((fact) => fact.formerOperator !== undefined);
		return undo(world, pickIfAny(random, changed));
	},

	formerly(random, world) {
		const renamed = [...world.functions.values()].filter((fact) => fact.formerName !== undefined);
		return renameAgain(random, world, pickIfAny(random, renamed));
	},
};

/** The next thing that a person asks about what a task has just changed: another value, or how it was before. */
export function followUp(random: Random, world: World, { assignment }: Draft): Draft | undefined {
	switch (assignment.type) {
		case "constant": {
			const { name, value } = assignment;
			const effect = revalue(world, name, value + 1);
			return effect && { assignment: { type: "constant", name, value: value + 1 }, ...effect };
		}
		case "introduce": {
			const constant = world.introduced.find(({ description }) => description === assignment.description);
			return constant && adjust(constant, random.between(1_000, 9_999));
		}
		case "bug":
			return undo(world, functionNamed(world, assignment.name));
		case "rename":
			return renameAgain(random, world, functionNamed(world, assignment.to));
		default:
			return undefined;
	}
}

function functionNamed({ functions }: World, name: string): LivingFunction | undefined {
	return [...functions.values()].find((fact) => fact.name === name);
}
