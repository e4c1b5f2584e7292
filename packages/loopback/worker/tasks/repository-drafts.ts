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
import type { Assignment, RepositoryKind } from "../phrasing.ts";
import type { Random } from "../random.ts";
import {
	configPath,
	constantsPath,
	OPERATORS,
	type Operator,
	servicePath,
	settingsPath,
	settingsType,
} from "../storefront.ts";
import TEXTS from "../texts.json" with { type: "json" };
import {
	type Draft,
	type Drafter,
	freshName,
	functionKey,
	type Introduced,
	type LivingFunction,
	type World,
} from "./world.ts";

const { verbs, suffixes, things, cases, units, knobs } = TEXTS.tasks;
/** The folders in which functions are renamed. */
const FOLDERS: readonly string[] = ["src", "docs"];

/** Gives a constant another value. */
export function revalue(
	world: World,
	assignment: Assignment,
	name: string,
	value: number,
): Draft | undefined {
	const fact = world.constants.get(name);
	return (
		fact && {
			assignment,
			goals: new Map([[constantsPath(fact.module), setConstant(name, value)]]),
			apply: () => world.constants.set(name, { ...fact, value }),
		}
	);
}

function revalueDescribed(assignment: Assignment, constant: Introduced, value: number): Draft {
	const { description, module } = constant;
	return {
		assignment,
		goals: new Map([[constantsPath(module), setDescribedConstant(description, value)]]),
		apply: () => Object.assign(constant, { value }),
	};
}

const adjust = (random: Random, constant: Introduced | undefined): Draft | undefined => {
	if (!constant) return undefined;
	const value = random.between(1_000, 9_999);
	return revalueDescribed({ type: "adjust", description: constant.description, value }, constant, value);
};

function compare(
	{ functions }: World,
	assignment: Assignment,
	fact: LivingFunction,
	operator: Operator,
	formerOperator?: Operator,
): Draft {
	return {
		assignment,
		goals: new Map([[servicePath(fact.module), setOperator(fact.name, operator)]]),
		apply: () => functions.set(functionKey(fact), { ...fact, operator, formerOperator }),
	};
}

function undo(world: World, fact: LivingFunction | undefined): Draft | undefined {
	if (!fact?.formerOperator) return undefined;
	return compare(world, { type: "undo", name: fact.name }, fact, fact.formerOperator);
}

function rename(random: Random, world: World, fact: LivingFunction, old?: string): Draft {
	const { name, noun, paths } = fact;
	const to = freshName(world, () => `${random.pick(verbs)}${noun}${random.pick(["", ...suffixes])}`);
	return {
		assignment: old
			? { type: "formerly", old, to, folders: FOLDERS }
			: { type: "rename", from: name, to, folders: FOLDERS },
		goals: new Map(paths.map((path) => [path, replaceWord(name, to)])),
		apply: () => {
			world.taken.add(to);
			const renamed = { ...fact, name: to, formerName: name, formerOperator: undefined };
			world.functions.set(functionKey(fact), renamed);
		},
	};
}

/** Renames a function that the task calls by its name before the last renaming. */
const renameAgain = (random: Random, world: World, fact: LivingFunction | undefined): Draft | undefined =>
	fact?.formerName ? rename(random, world, fact, fact.formerName) : undefined;

function pickIfAny<T>(random: Random, items: readonly T[]): T | undefined {
	return items.length > 0 ? random.pick(items) : undefined;
}

export const pickConstant = (random: Random, { constants }: World) => random.pick([...constants.values()]);
const pickFunction = (random: Random, { functions }: World) => random.pick([...functions.values()]);

function ask(
	world: World,
	fact: "value" | "file",
	[name, answer]: readonly [string, string],
	path: string,
): Draft {
	const notes = `${path}.md`;
	return {
		assignment: { type: "question", fact, name, notes },
		goals: new Map([[notes, addLine(`${name}: ${answer}`)]]),
		apply: () => {
			world.taken.add(path);
			if (fact === "value") world.notes.set(name, Number(answer));
		},
	};
}

export const REPOSITORY_DRAFTERS: Readonly<Record<RepositoryKind, Drafter>> = {
	constant(random, world) {
		const { name, value: present } = pickConstant(random, world);
		const value = random.between(2, 9_999_999) % random.pick([500, 10_000, 10_000_000]);
		return value === present ? undefined : revalue(world, { type: "constant", name, value }, name, value);
	},

	bug(random, world) {
		const fact = pickFunction(random, world);
		const { name, operator: wrong } = fact;
		const right = random.pick(OPERATORS.filter((operator) => operator !== wrong));
		return compare(world, { type: "bug", name, wrong, right }, fact, right, wrong);
	},

	rename: (random, world) => rename(random, world, pickFunction(random, world)),

	option(random, world) {
		const { module, name, local, noun } = pickFunction(random, world);
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
		const { name, value } = pickConstant(random, world);
		const notes = freshName(world, () => `notes/${name.toLowerCase().replaceAll("_", "-")}`);
		if (!world.notes.has(name)) return ask(world, "value", [name, String(value)], notes);
		const asked = pickFunction(random, world);
		const where = freshName(world, () => `notes/where-is-${asked.name.toLowerCase()}`);
		return ask(world, "file", [asked.name, servicePath(asked.module)], where);
	},

	adjust: (random, { introduced }) => adjust(random, pickIfAny(random, introduced)),

	match(random, { introduced }) {
		const constant = pickIfAny(random, introduced);
		const model = pickIfAny(random, introduced);
		if (!constant || !model || constant.value === model.value) return undefined;
		const { description } = constant;
		return revalueDescribed({ type: "match", description, model: model.description }, constant, model.value);
	},

	reuse(random, world) {
		const [noted, value] = pickIfAny(random, [...world.notes]) ?? [];
		if (noted === undefined || value === undefined) return undefined;
		const { name } = random.pick([...world.constants.values()].filter((fact) => fact.name !== noted));
		return revalue(world, { type: "reuse", noted, name }, name, value);
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
	const functionNamed = (name: string) => [...world.functions.values()].find((fact) => fact.name === name);
	switch (assignment.type) {
		case "constant": {
			const value = assignment.value + 1;
			return revalue(world, { ...assignment, value }, assignment.name, value);
		}
		case "introduce":
			return adjust(
				random,
				world.introduced.find(({ description }) => description === assignment.description),
			);
		case "bug":
			return undo(world, functionNamed(assignment.name));
		case "rename":
			return renameAgain(random, world, functionNamed(assignment.to));
		default:
			return undefined;
	}
}
