/** Generates tasks that the repository answers, and tasks that need a fact or decision of an earlier one, which the prompt does not repeat. */
import * as goals from "../goals.ts";
import type { Assignment, RepositoryKind } from "../phrasing.ts";
import type { Random } from "../random.ts";
import { type ConstantFact, OPERATORS, type Operator, pathsOf, settingsType } from "../storefront.ts";
import TEXTS from "../texts.json" with { type: "json" };
import {
	type Draft,
	type Drafter,
	freshName,
	type Introduced,
	type LivingFunction,
	type World,
} from "./world.ts";

const { verbs, suffixes, things, cases, units, knobs } = TEXTS.tasks;
/** The folders in which functions are renamed. */
const FOLDERS: readonly string[] = ["src", "docs"];

/** Gives a constant another value. */
export const revalue = (assignment: Assignment, constant: ConstantFact, value: number): Draft => ({
	assignment,
	goals: new Map([[pathsOf(constant.module).constants, goals.setConstant(constant.name, value)]]),
	apply: () => Object.assign(constant, { value }),
});

const revalueDescribed = (assignment: Assignment, constant: Introduced, value: number): Draft => ({
	assignment,
	goals: new Map([
		[pathsOf(constant.module).constants, goals.setDescribedConstant(constant.description, value)],
	]),
	apply: () => Object.assign(constant, { value }),
});

function adjust(random: Random, constant: Introduced): Draft {
	const value = random.between(1_000, 9_999);
	return revalueDescribed({ type: "adjust", description: constant.description, value }, constant, value);
}

const compare = (
	assignment: Assignment,
	fact: LivingFunction,
	operator: Operator,
	formerOperator?: Operator,
): Draft => ({
	assignment,
	goals: new Map([[pathsOf(fact.module).service, goals.setOperator(fact.name, operator)]]),
	apply: () => Object.assign(fact, { operator, formerOperator }),
});

const undo = (fact: LivingFunction | undefined): Draft | undefined =>
	fact?.formerOperator && compare({ type: "undo", name: fact.name }, fact, fact.formerOperator);

/** `old`: the name before the last renaming, if the task calls the function by that. */
function rename(random: Random, world: World, fact: LivingFunction, old?: string): Draft {
	const { name, noun, paths } = fact;
	const to = freshName(world, () => `${random.pick(verbs)}${noun}${random.pick(["", ...suffixes])}`);
	return {
		assignment: old
			? { type: "formerly", old, to, folders: FOLDERS }
			: { type: "rename", from: name, to, folders: FOLDERS },
		goals: new Map(paths.map((path) => [path, goals.replaceWord(name, to)])),
		apply: () => Object.assign(fact, { name: to, formerName: name, formerOperator: undefined }),
	};
}

function pickIfAny<T>(random: Random, items: readonly T[]): T | undefined {
	return items.length > 0 ? random.pick(items) : undefined;
}

function ask(
	world: World,
	fact: "value" | "file",
	[name, answer]: readonly [string, string],
	title: string,
): Draft {
	const notes = `${freshName(world, () => `notes/${title}`)}.md`;
	return {
		assignment: { type: "question", fact, name, notes },
		goals: new Map([[notes, goals.addLine(`${name}: ${answer}`)]]),
		apply: () => fact === "value" && world.notes.set(name, Number(answer)),
	};
}

export const REPOSITORY_DRAFTERS: Readonly<Record<RepositoryKind, Drafter>> = {
	constant(random, { constants }) {
		const constant = random.pick(constants);
		const value = random.between(2, 9_999_999) % random.pick([500, 10_000, 10_000_000]);
		const { name } = constant;
		if (value === constant.value) return undefined;
		const draft = (to: number) => revalue({ type: "constant", name, value: to }, constant, to);
		return { ...draft(value), followUp: () => draft(value + 1) };
	},

	bug(random, { functions }) {
		const fact = random.pick(functions);
		const { name, operator: wrong } = fact;
		const right = random.pick(OPERATORS.filter((operator) => operator !== wrong));
		return {
			...compare({ type: "bug", name, wrong, right }, fact, right, wrong),
			followUp: () => undo(fact),
		};
	},

	rename(random, world) {
		const fact = random.pick(world.functions);
		const { name } = fact;
		return { ...rename(random, world, fact), followUp: () => rename(random, world, fact, name) };
	},

	option(random, world) {
		const { module, name, local, noun } = random.pick(world.functions);
		const others = world.options.get(module) ?? [];
		const option = freshName(world, () => `${noun.toLowerCase()}${random.pick(knobs)}`);
		const value = random.between(2, 900);
		const { config, settings, service } = pathsOf(module);
		const type = settingsType(module);
		return {
			assignment: { type: "option", option, value, config, settingsType: type, name, local },
			goals: new Map([
				[config, goals.addEntry(option, value, others)],
				[settings, goals.addField(type, option)],
				[service, goals.takeFromSettings(name, local, option)],
			]),
			apply: () => world.options.set(module, [...others, option]),
		};
	},

	introduce(random, world) {
		const module = random.pick(world.modules);
		const describe = () => `${random.pick(things)} for ${random.pick(cases)} in ${random.pick(units)}`;
		const description = freshName(world, describe);
		const value = random.between(2, 900);
		const path = pathsOf(module).constants;
		const constant = { description, module, value };
		return {
			assignment: { type: "introduce", description, value, path },
			goals: new Map([[path, goals.addConstant(`ADDED_${world.introduced.length}`, description, value)]]),
			apply: () => world.introduced.push(constant),
			followUp: () => adjust(random, constant),
		};
	},

	question(random, world) {
		const { name, value } = random.pick(world.constants);
		if (!world.notes.has(name))
			return ask(world, "value", [name, String(value)], name.toLowerCase().replaceAll("_", "-"));
		const asked = random.pick(world.functions);
		return ask(
			world,
			"file",
			[asked.name, pathsOf(asked.module).service],
			`where-is-${asked.name.toLowerCase()}`,
		);
	},

	adjust(random, { introduced }) {
		const constant = pickIfAny(random, introduced);
		return constant && adjust(random, constant);
	},

	match(random, { introduced }) {
		const constant = pickIfAny(random, introduced);
		const model = pickIfAny(random, introduced);
		if (!constant || !model || constant.value === model.value) return undefined;
		const { description } = constant;
		return revalueDescribed({ type: "match", description, model: model.description }, constant, model.value);
	},

	reuse(random, { notes, constants }) {
		const [noted, value] = pickIfAny(random, [...notes]) ?? [];
		if (noted === undefined || value === undefined) return undefined;
		const constant = random.pick(constants.filter(({ name }) => name !== noted));
		return revalue({ type: "reuse", noted, name: constant.name }, constant, value);
	},

	undo: (random, { functions }) =>
		undo(
			pickIfAny(
				random,
				functions.filter(({ formerOperator }) => formerOperator),
			),
		),

	formerly(random, world) {
		const renamed = world.functions.filter(({ formerName }) => formerName);
		const fact = pickIfAny(random, renamed);
		return fact && rename(random, world, fact, fact.formerName);
	},
};
