/** Generates the tasks that give a fact, together with the questions that need it about sixty tasks later. */

import { constantsPath } from "../layout.ts";
import type { Random } from "../random.ts";
import * as solution from "../solution.ts";
import { freshName } from "../task-generators.ts";
import * as verification from "../verification.ts";
import { deploy, isDeployed, makeDeployment, offerDeployment } from "./deployment.ts";
import { type MemoryDraft, type MemoryWorld, newNotes, type Told } from "./memory-world.ts";
import { askAdvice, askCode, askId, askReason, askTotal, askWording } from "./question-generators.ts";

export type FactDrafter = (random: Random, world: MemoryWorld) => MemoryDraft | undefined;

const DESKS = ["support desk", "night shift", "courier account", "door lock", "tax office", "print room"];
const TOWNS = ["Porto", "Bergen", "Graz", "Tartu", "Lyon", "Malmo", "Ghent", "Bilbao"];
const DOCUMENTS = ["refund notice", "recall letter", "privacy banner", "delay mail", "return label"];
const PARTIES = ["customers", "carriers", "suppliers", "visitors", "resellers"];
const VERBS = ["refuse", "cancel", "repeat", "postpone", "confirm", "dispute"];
const THINGS = ["orders", "parcels", "payments", "pallets", "bookings", "vouchers"];
const COLORS = ["amber", "cobalt", "ivory", "crimson", "olive", "indigo", "silver"];
const PLACES = ["harbor", "meadow", "summit", "canyon", "island", "forest", "bridge"];

/** The chance that the user gives a new code for an old subject, once there are some. */
const UPDATE_PERCENT = 50;
/** All logs of so many deployments together are longer than 80k tokens. */
const FIRST_TOTAL = 13;
const NEXT_TOTAL = 6;

export const draftTold: FactDrafter = (random, world) => {
	const code = `${random.pick(["K", "P", "R", "T"])}-${random.between(1_000, 9_999)}`;
	const old = world.told.filter(({ asksFirst }) => !asksFirst);
	if (old.length > 1 && random.between(1, 100) <= UPDATE_PERCENT)
		return draftUpdate(random, world, random.pick(old), code);
	const subject = freshName(world, () => `${random.pick(DESKS)} in ${random.pick(TOWNS)}`);
	const told: Told = { subject, first: code, latest: code, asksFirst: false };
	return {
		...hears(random, world, (notes) => ({ type: "told", subject, code, notes })),
		apply: () => {
			world.taken.add(subject);
			world.told.push(told);
		},
		questions: [{ distance: world.distance(), draft: () => askCode(random, world, told, "recite") }],
	};
};

function draftUpdate(random: Random, world: MemoryWorld, told: Told, code: string): MemoryDraft {
	const { subject } = told;
	return {
		...hears(random, world, (notes) => ({ type: "told", subject, code, notes })),
		apply: () => {
			told.latest = code;
			told.asksFirst = true;
		},
		questions: [{ distance: world.distance(), draft: () => askCode(random, world, told, "first") }],
	};
}

export const draftShow: FactDrafter = (random, world) => {
	const title = freshName(world, () => `${random.pick(DOCUMENTS)} of ${random.pick(TOWNS)}`);
	const clauses = Array.from({ length: 4 }, () => sentence(random));
	const wording = `${clauses.join(", and ")}.`;
	return {
		...hears(random, world, (notes) => ({ type: "show", title, wording, notes })),
		apply: () => world.taken.add(title),
		questions: [{ distance: world.distance(), draft: () => askWording(random, world, title, wording) }],
	};
};

/** A task without any work: a note in a file of its own says that the user was heard. */
function hears(
	random: Random,
	world: MemoryWorld,
	assign: (notes: string) => MemoryDraft["assignment"],
): Pick<MemoryDraft, "assignment" | "solution" | "verify"> {
	const notes = newNotes(random, world);
	return {
		assignment: assign(notes),
		solution: new Map([[notes, () => "heard\n"]]),
		verify: verification.hasLine(notes, "heard"),
	};
}

export const draftDecision: FactDrafter = (random, world) => {
	const fact = random.pick([...world.constants.values()]);
	const value = random.between(1_000, 99_999);
	const { name } = fact;
	const reason = `${sentence(random)} in ${random.pick(TOWNS)}`;
	// The value tells the decisions about one constant apart.
	if (value === fact.value || world.taken.has(`${name} ${value}`)) return undefined;
	const path = constantsPath(fact.module);
	return {
		assignment: { type: "decide", name, value, reason },
		solution: new Map([[path, solution.setConstant(name, value)]]),
		verify: verification.hasConstant(path, name, value),
		apply: () => {
			world.taken.add(`${name} ${value}`);
			world.constants.set(name, { ...fact, value });
		},
		questions: [
			{ distance: world.distance(), draft: () => askReason(random, world, { name, value, reason }) },
		],
	};
};

export const draftDeployment: FactDrafter = (random, world) => {
	const label = freshName(world, () => `${random.pick(COLORS)}-${random.pick(PLACES)}`);
	const deployment = makeDeployment(random, label, random.pick([...world.constants.values()]).name);
	const number = world.deployments.length + 1;
	const isTotalDue = number >= FIRST_TOTAL && (number - FIRST_TOTAL) % NEXT_TOTAL === 0;
	return {
		assignment: { type: "deploy", label },
		solution: new Map(),
		verify: (directory) => isDeployed(directory, label),
		prepare: (directory) => offerDeployment(directory, deployment),
		solve: (directory) => deploy(directory, label),
		apply: () => {
			world.taken.add(label);
			world.deployments.push(deployment);
		},
		questions: [
			{ distance: world.distance(), draft: () => askId(random, world, deployment) },
			{ distance: world.distance(), draft: () => askAdvice(world, deployment) },
			...(isTotalDue ? [{ distance: 1, draft: () => askTotal(random, world) }] : []),
		],
	};
};

function sentence(random: Random): string {
	return `${random.pick(PARTIES)} ${random.pick(VERBS)} ${random.between(11, 989)} ${random.pick(THINGS)} a ${random.pick(["day", "week", "month"])}`;
}
