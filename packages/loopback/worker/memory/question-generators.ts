/** Generates the tasks that need an earlier fact. */

import { constantsPath, docsPath } from "../layout.ts";
import type { Random } from "../random.ts";
import * as solution from "../solution.ts";
import * as verification from "../verification.ts";
import type { Deployment } from "./deployment.ts";
import type { MemoryAssignment } from "./memory-assignment.ts";
import { type MemoryDraft, type MemoryWorld, newNotes, type Told } from "./memory-world.ts";

export function askCode(
	random: Random,
	world: MemoryWorld,
	{ subject, first, latest }: Told,
	type: "recite" | "first",
): MemoryDraft {
	return writesDown(random, world, type === "first" ? first : latest, (notes) => ({ type, subject, notes }));
}

export function askReason(
	random: Random,
	world: MemoryWorld,
	{ name, value, reason }: Pick<Extract<MemoryAssignment, { type: "decide" }>, "name" | "value" | "reason">,
): MemoryDraft {
	return writesDown(random, world, reason, (notes) => ({ type: "why", name, value, notes }));
}

export function askId(random: Random, world: MemoryWorld, { label, id }: Deployment): MemoryDraft {
	return writesDown(random, world, id, (notes) => ({ type: "release", label, notes }));
}

export function askTotal(random: Random, world: MemoryWorld): MemoryDraft {
	const sum = world.deployments.flatMap(({ steps }) => steps).reduce((total, took) => total + took, 0);
	return writesDown(random, world, String(sum), (notes) => ({ type: "total", notes }));
}

function writesDown(
	random: Random,
	world: MemoryWorld,
	answer: string,
	assign: (notes: string) => MemoryAssignment,
): MemoryDraft {
	const notes = newNotes(random, world);
	return {
		assignment: assign(notes),
		solution: new Map([[notes, () => `${answer}\n`]]),
		verify: verification.hasLine(notes, answer),
		apply: () => undefined,
	};
}

export function askAdvice(world: MemoryWorld, { label, advice }: Deployment): MemoryDraft | undefined {
	const { name, value } = advice;
	const fact = world.constants.get(name);
	if (!fact || fact.value === value) return undefined;
	const path = constantsPath(fact.module);
	return {
		assignment: { type: "advise", label },
		solution: new Map([[path, solution.setConstant(name, value)]]),
		verify: verification.hasConstant(path, name, value),
		apply: () => world.constants.set(name, { ...fact, value }),
	};
}

export function askWording(random: Random, world: MemoryWorld, title: string, wording: string): MemoryDraft {
	const path = docsPath(random.pick(world.modules));
	return {
		assignment: { type: "insert", title, path },
		solution: new Map([[path, (text: string) => text.replace("\n", () => `\n${wording}\n`)]]),
		verify: verification.hasLine(path, wording),
		apply: () => undefined,
	};
}
