/** Generates one task of each kind from the current world, which changes only when a draft is applied. */

import type { Assignment } from "./assignment.ts";
import type { Operator } from "./blueprint.ts";
import { configPath, constantsPath, servicePath, settingsPath, settingsType } from "./layout.ts";
import type { Random } from "./random.ts";
import * as verification from "./verification.ts";
import { functionKey, type World } from "./world.ts";

export interface Draft {
	readonly assignment: Assignment;
	readonly verify: verification.Verify;
	readonly apply: () => void;
}

/** Returns undefined if the world has nothing for a task of this kind yet. */
type Drafter = (random: Random, world: World) => Draft | undefined;

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
function freshName(world: World, make: () => string): string {
	for (let attempt = 0; attempt < 20; attempt += 1) {
		const name = make();
		if (!world.taken.has(name)) return name;
	}
	const name = make();
	let number = 2;
	while (world.taken.has(`${name}${number}`)) number += 1;
	return `${name}${number}`;
}

const draftConstant: Drafter = (random, world) => {
	const fact = random.pick([...world.constants.values()]);
	const value = random.between(2, 9_999_999) % random.pick([500, 10_000, 10_000_000]);
	if (value === fact.value) return undefined;
	return {
		assignment: { type: "constant", name: fact.name, value },
		verify: verification.hasConstant(constantsPath(fact.module), fact.name, value),
		apply: () => world.constants.set(fact.name, { ...fact, value }),
	};
};

const draftBug: Drafter = (random, world) => {
	const fact = random.pick([...world.functions.values()]);
	const right = random.pick(OPERATORS.filter((operator) => operator !== fact.operator));
	const line = `if (line.amount ${right} ${fact.bound}) {`;
	return {
		assignment: { type: "bug", name: fact.name, wrong: fact.operator, right },
		verify: verification.hasLineInFunction(servicePath(fact.module), fact.name, line),
		apply: () => world.functions.set(functionKey(fact), { ...fact, operator: right }),
	};
};

const draftRename: Drafter = (random, world) => {
	const fact = random.pick([...world.functions.values()]);
	const to = freshName(world, () => `${random.pick(VERBS)}${fact.noun}${random.pick(["", ...SUFFIXES])}`);
	return {
		assignment: { type: "rename", from: fact.name, to, folders: ["src", "docs"] },
		verify: verification.isRenamed(fact.name, to, fact.paths),
		apply: () => {
			world.taken.add(to);
			world.functions.set(functionKey(fact), { ...fact, name: to });
		},
	};
};

const draftOption: Drafter = (random, world) => {
	const fact = random.pick([...world.functions.values()]);
	const others = world.options.get(fact.module) ?? [];
	const option = freshName(world, () => `${fact.noun.toLowerCase()}${random.pick(KNOBS)}`);
	const value = random.between(2, 900);
	const { module, name, local } = fact;
	const config = configPath(module);
	return {
		assignment: { type: "option", option, value, config, settingsType: settingsType(module), name, local },
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

const draftIntroduction: Drafter = (random, world) => {
	const module = random.pick(world.modules);
	const description = freshName(
		world,
		() => `${random.pick(THINGS)} for ${random.pick(CASES)} in ${random.pick(UNITS)}`,
	);
	const value = random.between(2, 900);
	const path = constantsPath(module);
	return {
		assignment: { type: "introduce", description, value, path },
		verify: verification.hasDescribedConstant(path, description, value),
		apply: () => {
			world.taken.add(description);
			world.introduced.push({ description, module });
		},
	};
};

const draftAdjustment: Drafter = (random, world) => {
	if (world.introduced.length === 0) return undefined;
	const { description, module } = random.pick(world.introduced);
	const value = random.between(1_000, 9_999);
	return {
		assignment: { type: "adjust", description, value },
		verify: verification.hasDescribedConstant(constantsPath(module), description, value),
		apply: () => undefined,
	};
};

const draftQuestion: Drafter = (random, world) => {
	const constant = random.pick([...world.constants.values()]);
	const notes = freshName(world, () => `notes/${constant.name.toLowerCase().replaceAll("_", "-")}`);
	const { name, value } = constant;
	if (world.notes.has(name)) return draftFileQuestion(random, world);
	return {
		assignment: { type: "question", fact: "value", name, notes: `${notes}.md` },
		verify: verification.hasLine(`${notes}.md`, `${name}: ${value}`),
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
		verify: verification.hasLine(`${notes}.md`, `${fact.name}: ${servicePath(fact.module)}`),
		apply: () => world.taken.add(notes),
	};
};

const draftReuse: Drafter = (random, world) => {
	if (world.notes.size === 0) return undefined;
	const [noted, value] = random.pick([...world.notes]);
	const fact = random.pick([...world.constants.values()].filter(({ name }) => name !== noted));
	return {
		assignment: { type: "reuse", noted, name: fact.name },
		verify: verification.hasConstant(constantsPath(fact.module), fact.name, value),
		apply: () => world.constants.set(fact.name, { ...fact, value }),
	};
};

export const DRAFTERS = {
	constant: draftConstant,
	bug: draftBug,
	rename: draftRename,
	option: draftOption,
	introduce: draftIntroduction,
	adjust: draftAdjustment,
	question: draftQuestion,
	reuse: draftReuse,
} as const satisfies Partial<Readonly<Record<Assignment["type"], Drafter>>>;
