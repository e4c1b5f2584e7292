/** Generates the tasks that give a fact which no file holds, with the questions that need it much later. */

import { type Deployment, deploy, isDeployed, makeDeployment, offerDeployment } from "../deployment.ts";
import { addLine } from "../goals.ts";
import type { MemoryKind, Of } from "../phrasing.ts";
import type { Random } from "../random.ts";
import { docsPath } from "../storefront.ts";
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
	const path = freshName(world, () => `notes/entry-${random.between(100, 999)}`);
	world.taken.add(path);
	const notes = `${path}.md`;
	return { assignment: assign(notes), goals: new Map([[notes, addLine(line)]]), apply: () => undefined };
}

function sentence(random: Random): string {
	return `${random.pick(parties)} ${random.pick(verbs)} ${random.between(11, 989)} ${random.pick(things)} a ${random.pick(["day", "week", "month"])}`;
}

function tellCode(random: Random, world: World, told: Told, code: string, isUpdate: boolean): Draft {
	const { subject } = told;
	return {
		...writeDown(random, world, "heard", (notes) => ({ type: "told", subject, code, notes })),
		apply: () => {
			told.latest = code;
			told.asksFirst = isUpdate;
			if (isUpdate) return;
			world.taken.add(subject);
			world.told.push(told);
		},
		questions: [
			{
				draft: () =>
					writeDown(random, world, isUpdate ? told.first : told.latest, (notes) => ({
						type: isUpdate ? "first" : "recite",
						...{ subject, notes },
					})),
			},
		],
	};
}

function askAdvice(world: World, { label, advice: { name, value } }: Deployment): Draft | undefined {
	const effect = world.constants.get(name)?.value === value ? undefined : revalue(world, name, value);
	return effect && { assignment: { type: "advise", label }, ...effect };
}

function askTotal(random: Random, world: World): Draft {
	const sum = world.deployments.flatMap(({ steps }) => steps).reduce((total, took) => total + took, 0);
	return writeDown(random, world, String(sum), (notes) => ({ type: "total", notes }));
}

export const MEMORY_DRAFTERS = {
	told(random, world) {
		const code = `${random.pick(["K", "P", "R", "T"])}-${random.between(1_000, 9_999)}`;
		const old = world.told.filter(({ asksFirst }) => !asksFirst);
		if (old.length > 1 && random.between(1, 100) <= UPDATE_PERCENT)
			return tellCode(random, world, random.pick(old), code, true);
		const subject = freshName(world, () => `${random.pick(desks)} in ${random.pick(towns)}`);
		const told = { subject, first: code, latest: code, asksFirst: false };
		return tellCode(random, world, told, code, false);
	},

	show(random, world) {
		const title = freshName(world, () => `${random.pick(documents)} of ${random.pick(towns)}`);
		const wording = `${Array.from({ length: 4 }, () => sentence(random)).join(", and ")}.`;
		const ask = (): Draft => {
			const path = docsPath(random.pick(world.modules));
			const goals = new Map([[path, addLine(wording)]]);
			return { assignment: { type: "insert", title, path }, goals, apply: () => undefined };
		};
		return {
			...writeDown(random, world, "heard", (notes) => ({ type: "show", title, wording, notes })),
			apply: () => world.taken.add(title),
			questions: [{ draft: ask }],
		};
	},

	decide(random, world) {
		const { name, value: present } = random.pick([...world.constants.values()]);
		const value = random.between(1_000, 99_999);
		const reason = `${sentence(random)} in ${random.pick(towns)}`;
		const effect = revalue(world, name, value);
		// The value tells the decisions about one constant apart.
		if (!effect || value === present || world.taken.has(`${name} ${value}`)) return undefined;
		return {
			assignment: { type: "decide", name, value, reason },
			goals: effect.goals,
			apply: () => {
				world.taken.add(`${name} ${value}`);
				effect.apply();
			},
			questions: [
				{
					draft: () => writeDown(random, world, reason, (notes) => ({ type: "why", name, value, notes })),
				},
			],
		};
	},

	deploy(random, world) {
		const label = freshName(world, () => `${random.pick(colors)}-${random.pick(places)}`);
		const deployment = makeDeployment(random, label, random.pick([...world.constants.values()]).name);
		const number = world.deployments.length + 1;
		const isTotalDue = number >= FIRST_TOTAL && (number - FIRST_TOTAL) % NEXT_TOTAL === 0;
		const askId = () =>
			writeDown(random, world, deployment.id, (notes) => ({ type: "release", label, notes }));
		return {
			assignment: { type: "deploy", label },
			goals: new Map(),
			beyondFiles: {
				verify: (directory) => isDeployed(directory, label),
				prepare: (directory) => offerDeployment(directory, deployment),
				solve: (directory) => deploy(directory, label),
			},
			apply: () => {
				world.taken.add(label);
				world.deployments.push(deployment);
			},
			questions: [
				{ draft: askId },
				{ draft: () => askAdvice(world, deployment) },
				...(isTotalDue ? [{ draft: () => askTotal(random, world), isNext: true }] : []),
			],
		};
	},
} as const satisfies Readonly<Record<string, Drafter>>;
