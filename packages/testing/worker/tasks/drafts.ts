/**
 * Draws tasks: those that the repository answers, those that need what an earlier one did and the prompt does not repeat, and those
 * that give a fact which no file holds, with the questions that need it much later.
 */
import { sum } from "#basics";
import { makeDeployment, renderLog } from "../deployment.ts";
import type { Assignment } from "../kinds.ts";
import type { Random } from "../random.ts";
import { type ConstantFact, OPERATORS, type Operator, pathsOf, settingsType } from "../storefront.ts";
import TEXTS from "../texts.json" with { type: "json" };
import {
	type Draft,
	type Drafter,
	freshName,
	type Introduced,
	type LivingFunction,
	type Told,
	type World,
} from "./world.ts";

const { facts: FACTS, tasks: WORDS } = TEXTS;

/** The chance that the user gives a new code for an old subject, once there are some. */
const UPDATE_PERCENT = 50;
/** All logs of so many deployments together are longer than 80k tokens. */
const FIRST_TOTAL = 13;
const NEXT_TOTAL = 6;

/** Gives a constant another value. */
const revalue = (assignment: Assignment, constant: ConstantFact | Introduced, value: number): Draft => {
	const { module } = constant;
	const facts = { module, value, ...("name" in constant ? { name: constant.name } : {}) };
	return { assignment, facts, apply: () => Object.assign(constant, { value }) };
};

function adjust(random: Random, constant: Introduced): Draft {
	const value = random.between(1_000, 9_999);
	return revalue({ type: "adjust", description: constant.description, value }, constant, value);
}

const compare = (
	assignment: Assignment,
	fact: LivingFunction,
	operator: Operator,
	formerOperator?: Operator,
): Draft => ({
	assignment,
	facts: { module: fact.module, right: operator },
	apply: () => Object.assign(fact, { operator, formerOperator }),
});

const undo = (fact: LivingFunction | undefined): Draft | undefined =>
	fact?.formerOperator && compare({ type: "undo", name: fact.name }, fact, fact.formerOperator);

/** `old`: the name before the last renaming, if the task calls the function by that. */
function rename(random: Random, world: World, fact: LivingFunction, old?: string): Draft {
	const { name, noun, paths } = fact;
	const { verbs, suffixes } = WORDS;
	const to = freshName(world, () => `${random.pick(verbs)}${noun}${random.pick(["", ...suffixes])}`);
	return {
		assignment: old ? { type: "formerly", old, to } : { type: "rename", from: name, to },
		facts: { from: name },
		paths,
		apply: () => Object.assign(fact, { name: to, formerName: name, formerOperator: undefined }),
	};
}

function pickIfAny<T>(random: Random, items: readonly T[]): T | undefined {
	return items.length > 0 ? random.pick(items) : undefined;
}

/** A question about the code, whose answer goes into a file of its own. */
function ask(world: World, type: "value" | "file", name: string, answer: string | number): Draft {
	const title = `${type === "file" ? "where-is-" : ""}${name.toLowerCase().replaceAll("_", "-")}`;
	const notes = `${freshName(world, () => `notes/${title}`)}.md`;
	return {
		assignment: { type, name, notes },
		facts: { answer },
		apply: () => type === "value" && world.notes.set(name, Number(answer)),
	};
}

/** A task that writes one line into a new file under notes/. */
function writeDown(random: Random, world: World, answer: string | number, asked: Assignment): Draft {
	const notes = `${freshName(world, () => `notes/entry-${random.between(100, 999)}`)}.md`;
	return { assignment: { ...asked, notes }, facts: { answer } };
}

function sentence(random: Random): string {
	const { parties, verbs, things } = FACTS;
	return `${random.pick(parties)} ${random.pick(verbs)} ${random.between(11, 989)} ${random.pick(things)} a ${random.pick(["day", "week", "month"])}`;
}

/** Of an old subject the first code is asked for, of a new one the latest. */
function tellCode(random: Random, world: World, told: Told, code: string): Draft {
	const { subject } = told;
	const isUpdate = world.told.includes(told);
	const type = isUpdate ? "first" : "recite";
	return {
		...writeDown(random, world, "heard", { type: "told", subject, code }),
		apply: () => {
			Object.assign(told, { latest: code, asksFirst: isUpdate });
			if (!isUpdate) world.told.push(told);
		},
		questions: [() => writeDown(random, world, isUpdate ? told.first : told.latest, { type, subject })],
	};
}

export const DRAFTERS: Readonly<Record<string, Drafter>> = {
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
		const option = freshName(world, () => `${noun.toLowerCase()}${random.pick(WORDS.knobs)}`);
		const value = random.between(2, 900);
		const { config } = pathsOf(module);
		return {
			assignment: { type: "option", option, value, config, settingsType: settingsType(module), name, local },
			facts: { module, others: others.join(" ") },
			apply: () => world.options.set(module, [...others, option]),
		};
	},

	introduce(random, world) {
		const module = random.pick(world.modules);
		const { things, cases, units } = WORDS;
		const describe = () => `${random.pick(things)} for ${random.pick(cases)} in ${random.pick(units)}`;
		const description = freshName(world, describe);
		const value = random.between(2, 900);
		const constant = { description, module, value };
		return {
			assignment: { type: "introduce", description, value, path: pathsOf(module).constants },
			facts: { added: `ADDED_${world.introduced.length}` },
			apply: () => world.introduced.push(constant),
			followUp: () => adjust(random, constant),
		};
	},

	question(random, world) {
		const { name, value } = random.pick(world.constants);
		if (!world.notes.has(name)) return ask(world, "value", name, value);
		const asked = random.pick(world.functions);
		return ask(world, "file", asked.name, pathsOf(asked.module).service);
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
		return revalue({ type: "match", description, model: model.description }, constant, model.value);
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

	told(random, world) {
		const code = `${random.pick(["K", "P", "R", "T"])}-${random.between(1_000, 9_999)}`;
		const old = world.told.filter(({ asksFirst }) => !asksFirst);
		if (old.length > 1 && random.between(1, 100) <= UPDATE_PERCENT)
			return tellCode(random, world, random.pick(old), code);
		const subject = freshName(world, () => `${random.pick(FACTS.desks)} in ${random.pick(FACTS.towns)}`);
		return tellCode(random, world, { subject, first: code, latest: code, asksFirst: false }, code);
	},

	show(random, world) {
		const title = freshName(world, () => `${random.pick(FACTS.documents)} of ${random.pick(FACTS.towns)}`);
		const wording = `${Array.from({ length: 4 }, () => sentence(random)).join(", and ")}.`;
		const insert = (path: string): Draft => {
			return { assignment: { type: "insert", title, path }, facts: { wording } };
		};
		return {
			...writeDown(random, world, "heard", { type: "show", title, wording }),
			questions: [() => insert(pathsOf(random.pick(world.modules)).docs)],
		};
	},

	decide(random, world) {
		const constant = random.pick(world.constants);
		const { name } = constant;
		const value = random.between(1_000, 99_999);
		const reason = `${sentence(random)} in ${random.pick(FACTS.towns)}`;
		// The value tells the decisions about one constant apart.
		const decision = `${name} ${value}`;
		if (value === constant.value || world.taken.has(decision)) return undefined;
		world.taken.add(decision);
		return {
			...revalue({ type: "decide", name, value, reason }, constant, value),
			questions: [() => writeDown(random, world, reason, { type: "why", name, value })],
		};
	},

	deploy(random, world) {
		const label = freshName(world, () => `${random.pick(FACTS.colors)}-${random.pick(FACTS.places)}`);
		const constant = random.pick(world.constants);
		const deployment = makeDeployment(random, label, constant.name);
		const { value } = deployment.advice;
		const number = world.deployments.length + 1;
		const isTotalDue = number >= FIRST_TOTAL && (number - FIRST_TOTAL) % NEXT_TOTAL === 0;
		const askTotal = () => {
			const total = sum(world.deployments, ({ steps }) => sum(steps));
			return writeDown(random, world, total, { type: "total" });
		};
		return {
			assignment: { type: "deploy", label },
			// Where the script looks for it, outside of the work tree.
			waiting: { path: `.git/remote/${label}`, text: renderLog(deployment) },
			apply: () => world.deployments.push(deployment),
			questions: [
				() => writeDown(random, world, deployment.id, { type: "release", label }),
				() => (constant.value === value ? undefined : revalue({ type: "advise", label }, constant, value)),
			],
			...(isTotalDue ? { nextQuestion: askTotal } : {}),
		};
	},
};
