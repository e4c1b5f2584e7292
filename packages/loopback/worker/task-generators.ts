/** Generates tasks that stand on their own from the current world, which changes only when a draft is applied. */

import type { Assignment } from "./assignment.ts";
import type { Operator } from "./blueprint.ts";
import { configPath, constantsPath, servicePath, settingsPath, settingsType } from "./layout.ts";
import type { Random } from "./random.ts";
import * as solution from "./solution.ts";
import * as verification from "./verification.ts";
import { functionKey, type LivingFunction, type World } from "./world.ts";

export interface Draft {
	readonly assignment: Assignment;
	readonly solution: solution.Solution;
	readonly verify: verification.Verify;
	readonly apply: () => void;
}

/** Returns undefined if the world has nothing for a task of this kind yet. */
export type Drafter = (random: Random, world: World) => Draft | undefined;

const OPERATORS: readonly Operator[] = ["<", "<=", ">", ">="];
const VERBS = [
	"compile",
	"gather",
	"inspect",
	"select",
	"arrange",
	"level",
	"order",
	"combine",
	"prune",
	"count",
];
const SUFFIXES = ["Lines", "Batch", "Set", "Group", "Queue", "Pile"];
const THINGS = ["grace period", "cool-down", "warm-up time", "safety margin", "head start", "quiet time"];
const CASES = [
	"late parcels",
	"returning customers",
	"failed uploads",
	"partial deliveries",
	"silent partners",
];
const UNITS = ["seconds", "minutes", "hours", "attempts", "lines"];
const KNOBS = ["Ceiling", "Floor", "Stride", "Margin", "Pace", "Reserve"];

/** The first unused name; a number is added once the combinations are used up. */
export function freshName(world: World, make: () => string): string {
	for (let attempt = 0; attempt < 20; attempt += 1) {
		const name = make();
		if (!world.taken.has(name)) return name;
	}
	const name = make();
	let number = 2;
	while (world.taken.has(`${name}${number}`)) number += 1;
	return `${name}${number}`;
}

export const draftConstant: Drafter = (random, world) => {
	const fact = random.pick([...world.constants.values()]);
	const value = random.between(2, 9_999_999) % random.pick([500, 10_000, 10_000_000]);
	if (value === fact.value) return undefined;
	const path = constantsPath(fact.module);
	return {
		assignment: { type: "constant", name: fact.name, value },
		solution: new Map([[path, solution.setConstant(fact.name, value)]]),
		verify: verification.hasConstant(path, fact.name, value),
		apply: () => world.constants.set(fact.name, { ...fact, value }),
	};
};

export const draftBug: Drafter = (random, world) => {
	const fact = random.pick([...world.functions.values()]);
	const right = random.pick(OPERATORS.filter((operator) => operator !== fact.operator));
	return {
		assignment: { type: "bug", name: fact.name, wrong: fact.operator, right },
		...compares(fact, right),
		apply: () =>
			world.functions.set(functionKey(fact), { ...fact, operator: right, formerOperator: fact.operator }),
	};
};

/** The solution and the check of a task that gives a function another comparison. */
export function compares({ module, name, bound }: LivingFunction, operator: Operator) {
	const path = servicePath(module);
	return {
		solution: new Map([[path, solution.setOperator(name, operator)]]),
		verify: verification.hasLineInFunction(path, name, `if (line.amount ${operator} ${bound}) {`),
	};
}

export const draftRename: Drafter = (random, world) => {
	const fact = random.pick([...world.functions.values()]);
	const to = newFunctionName(random, world, fact);
	return {
		assignment: { type: "rename", from: fact.name, to, folders: FOLDERS },
		...renames(world, fact, to),
	};
};

/** The folders in which functions are renamed. */
export const FOLDERS: readonly string[] = ["src", "docs"];

export function newFunctionName(random: Random, world: World, { noun }: LivingFunction): string {
	return freshName(world, () => `${random.pick(VERBS)}${noun}${random.pick(["", ...SUFFIXES])}`);
}

/** Solution, check and effect of a task that renames a function. */
export function renames(world: World, fact: LivingFunction, to: string): Omit<Draft, "assignment"> {
	const { name, paths } = fact;
	return {
		solution: new Map(paths.map((path) => [path, solution.replaceWord(name, to)])),
		verify: verification.isRenamed(name, to, paths),
		apply: () => {
			world.taken.add(to);
			const renamed = { ...fact, name: to, formerName: name, formerOperator: undefined };
			world.functions.set(functionKey(fact), renamed);
		},
	};
}

export const draftOption: Drafter = (random, world) => {
	const fact = random.pick([...world.functions.values()]);
	const others = world.options.get(fact.module) ?? [];
	const option = freshName(world, () => `${fact.noun.toLowerCase()}${random.pick(KNOBS)}`);
	const value = random.between(2, 900);
	const { module, name, local } = fact;
	const config = configPath(module);
	return {
		assignment: { type: "option", option, value, config, settingsType: settingsType(module), name, local },
		solution: new Map([
			[config, solution.addEntry(option, value)],
			[settingsPath(module), solution.addField(settingsType(module), option)],
			[servicePath(module), solution.takeFromSettings(name, local, option)],
		]),
		verify: verification.allOf(
			verification.hasOption(config, option, value, others),
			verification.hasLine(settingsPath(module), `\treadonly ${option}: number;`),
			verification.hasLineInFunction(servicePath(module), name, `const ${local} = settings.${option};`),
		),
		apply: () => {
			world.taken.add(option);
			world.options.set(module, [...others, option]);
		},
	};
};

export const draftIntroduction: Drafter = (random, world) => {
	const module = random.pick(world.modules);
	const description = freshName(
		world,
		() => `${random.pick(THINGS)} for ${random.pick(CASES)} in ${random.pick(UNITS)}`,
	);
	const value = random.between(2, 900);
	const path = constantsPath(module);
	return {
		assignment: { type: "introduce", description, value, path },
		solution: new Map([[path, solution.addConstant(`ADDED_${world.introduced.length}`, description, value)]]),
		verify: verification.hasDescribedConstant(path, description, value),
		apply: () => {
			world.taken.add(description);
			world.introduced.push({ description, module, value });
		},
	};
};

export const draftQuestion: Drafter = (random, world) => {
	const constant = random.pick([...world.constants.values()]);
	const notes = freshName(world, () => `notes/${constant.name.toLowerCase().replaceAll("_", "-")}`);
	const { name, value } = constant;
	if (world.notes.has(name)) return draftFileQuestion(random, world);
	return {
		assignment: { type: "question", fact: "value", name, notes: `${notes}.md` },
		...notesDown(`${notes}.md`, `${name}: ${value}`),
		apply: () => {
			world.taken.add(notes);
			world.notes.set(name, value);
		},
	};
};

const draftFileQuestion: Drafter = (random, world) => {
	const fact = random.pick([...world.functions.values()]);
	const notes = freshName(world, () => `notes/where-is-${fact.name.toLowerCase()}`);
	return {
		assignment: { type: "question", fact: "file", name: fact.name, notes: `${notes}.md` },
		...notesDown(`${notes}.md`, `${fact.name}: ${servicePath(fact.module)}`),
		apply: () => world.taken.add(notes),
	};
};

function notesDown(path: string, line: string): Pick<Draft, "solution" | "verify"> {
	return { solution: new Map([[path, () => `${line}\n`]]), verify: verification.hasLine(path, line) };
}
