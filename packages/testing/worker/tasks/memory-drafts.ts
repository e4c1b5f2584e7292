/** Generates the tasks that give a fact which no file holds, with the questions that need it much later. */
import { makeDeployment, renderLog } from "../deployment.ts";
import { addLine } from "../goals.ts";
import type { MemoryKind, Of } from "../phrasing.ts";
import type { Random } from "../random.ts";
import { pathsOf } from "../storefront.ts";
import TEXTS from "../texts.json" with { type: "json" };
import { revalue } from "./repository-drafts.ts";
import { type Draft, type Drafter, freshName, type Told, type World } from "./world.ts";

const { desks, towns, documents, parties, verbs, things, colors, places } = TEXTS.facts;

/** The chance that the user gives a new code for an old subject, once there are some. */
const UPDATE_PERCENT = 50;
/** All logs of so many deployments together are longer than 80k tokens. */
const FIRST_TOTAL = 13;
const NEXT_TOTAL = 6;

/** A task that writes one line into a new file under notes/. */
function writeDown(
	random: Random,
	world: World,
	line: string,
	assign: (notes: string) => Of<MemoryKind>,
): Draft {
	const notes = `${freshName(world, () => `notes/entry-${random.between(100, 999)}`)}.md`;
	return { assignment: assign(notes), goals: new Map([[notes, addLine(line)]]) };
}

function sentence(random: Random): string {
	return `${random.pick(parties)} ${random.pick(verbs)} ${random.between(11, 989)} ${random.pick(things)} a ${random.pick(["day", "week", "month"])}`;
}

/** Of an old subject the first code is asked for, of a new one the latest. */
function tellCode(random: Random, world: World, told: Told, code: string): Draft {
	const { subject } = told;
	const isUpdate = world.told.includes(told);
	const ask = () =>
		writeDown(random, world, isUpdate ? told.first : told.latest, (notes) => ({
			type: isUpdate ? "first" : "recite",
			subject,
			notes,
		}));
	return {
		...writeDown(random, world, "heard", (notes) => ({ type: "told", subject, code, notes })),
		apply: () => {
			Object.assign(told, { latest: code, asksFirst: isUpdate });
			if (!isUpdate) world.told.push(told);
		},
		questions: [ask],
	};
}

export type FactKind = "told" | "show" | "decide" | "deploy";

export const FACT_DRAFTERS: Readonly<Record<FactKind, Drafter>> = {
	told(random, world) {
		const code = `${random.pick(["K", "P", "R", "T"])}-${random.between(1_000, 9_999)}`;
		const old = world.told.filter(({ asksFirst }) => !asksFirst);
		if (old.length > 1 && random.between(1, 100) <= UPDATE_PERCENT)
			return tellCode(random, world, random.pick(old), code);
		const subject = freshName(world, () => `${random.pick(desks)} in ${random.pick(towns)}`);
		return tellCode(random, world, { subject, first: code, latest: code, asksFirst: false }, code);
	},

	show(random, world) {
		const title = freshName(world, () => `${random.pick(documents)} of ${random.pick(towns)}`);
		const wording = `${Array.from({ length: 4 }, () => sentence(random)).join(", and ")}.`;
		const ask = (): Draft => {
			const path = pathsOf(random.pick(world.modules)).docs;
			return { assignment: { type: "insert", title, path }, goals: new Map([[path, addLine(wording)]]) };
		};
		return {
			...writeDown(random, world, "heard", (notes) => ({ type: "show", title, wording, notes })),
			questions: [ask],
		};
	},

	decide(random, world) {
		const constant = random.pick(world.constants);
		const { name } = constant;
		const value = random.between(1_000, 99_999);
		const reason = `${sentence(random)} in ${random.pick(towns)}`;
		// The value tells the decisions about one constant apart.
		const decision = `${name} ${value}`;
		if (value === constant.value || world.taken.has(decision)) return undefined;
		world.taken.add(decision);
		return {
			...revalue({ type: "decide", name, value, reason }, constant, value),
			questions: [() => writeDown(random, world, reason, (notes) => ({ type: "why", name, value, notes }))],
		};
	},

	deploy(random, world) {
		const label = freshName(world, () => `${random.pick(colors)}-${random.pick(places)}`);
		const constant = random.pick(world.constants);
		const deployment = makeDeployment(random, label, constant.name);
		const { value } = deployment.advice;
		const number = world.deployments.length + 1;
		const isTotalDue = number >= FIRST_TOTAL && (number - FIRST_TOTAL) % NEXT_TOTAL === 0;
		const askTotal = () => {
			const sum = world.deployments.flatMap(({ steps }) => steps).reduce((total, took) => total + took, 0);
			return writeDown(random, world, String(sum), (notes) => ({ type: "total", notes }));
		};
		return {
			assignment: { type: "deploy", label },
			goals: new Map(),
			// Where the script looks for it, outside of the work tree.
			waiting: { path: `.git/remote/${label}`, text: renderLog(deployment) },
			apply: () => world.deployments.push(deployment),
			questions: [
				() => writeDown(random, world, deployment.id, (notes) => ({ type: "release", label, notes })),
				() => (constant.value === value ? undefined : revalue({ type: "advise", label }, constant, value)),
			],
			...(isTotalDue ? { nextQuestion: askTotal } : {}),
		};
	},
};
