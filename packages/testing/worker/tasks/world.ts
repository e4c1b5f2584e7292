/**
 * The repository, and the facts that no file holds, as they are after the tasks generated so far: the basis of the next
 * task, which changes the world only when it is applied.
 */
import type { Deployment } from "../deployment.ts";
import type { Assignment, Fields } from "../kinds.ts";
import type { Random } from "../random.ts";
import {
	describeRepository,
	type FunctionFact,
	type Operator,
	pathsOf,
	type SourceFile,
} from "../storefront.ts";

/** Tasks change its name and its comparison. */
export interface LivingFunction extends FunctionFact {
	/** Every file under src and docs that names the function. */
	readonly paths: readonly string[];
	/** Its name before the latest renaming. */
	readonly formerName?: string;
	/** Its comparison before the latest fix, while the fix is in place and the name is the same. */
	readonly formerOperator?: Operator | undefined;
}

/** A constant that an earlier task added; the worker chose its name. */
export interface Introduced {
	readonly description: string;
	readonly module: string;
	value: number;
}

/** A code that the user gave. */
export interface Told {
	readonly subject: string;
	readonly first: string;
	latest: string;
	/** True once a question about its first code is planned. */
	asksFirst: boolean;
}

export type World = ReturnType<typeof createWorld>;

export interface Task {
	/** Its number and kind, such as `task-004-rename`. */
	readonly id: string;
	readonly prompt: string;
	/** The files that it may change; any where left out. */
	readonly files?: readonly string[];
	/** Returns true if the task is done. Call it at the end of its turn, because a later task may change the same place. */
	readonly verify: (directory: string) => Promise<boolean>;
	/** Writes outside of the work tree what the task needs. Call it before its turn, on a clean work tree. */
	readonly prepare: (directory: string) => Promise<void>;
	/** Writes the reference solution. The repository has to be as it was before the task. */
	readonly solve: (directory: string) => Promise<void>;
}

/** A task that the world allows. */
export interface Draft {
	readonly assignment: Assignment;
	/** The fields of the reference solution that the prompt leaves out. */
	readonly facts?: Fields;
	/** The files in which it changes a word. */
	readonly paths?: readonly string[];
	/** Changes the world; left out where nothing follows from the task. */
	readonly apply?: () => unknown;
	/** A file outside of the work tree that is there before the task and gone when it is done. */
	readonly waiting?: SourceFile;
	/** The next thing that a person asks about what the task has just changed: another value, or how it was before. */
	readonly followUp?: Question;
	/** The tasks that need what this one gives. */
	readonly questions?: readonly Question[];
	/** One of these that is due at once. */
	readonly nextQuestion?: Question;
}

/** Called when the question is due; undefined if it has become pointless. */
export type Question = () => Draft | undefined;

/** Returns undefined if the world has nothing for a task of this kind yet. */
export type Drafter = (random: Random, world: World) => Draft | undefined;

export function createWorld(seed: number) {
	const modules = describeRepository(seed);
	const functions = modules.flatMap(({ name, functions: facts }, index) => {
		const host = modules.at(index - 1)?.name ?? name;
		const { service, routes, docs } = pathsOf(name);
		const own = [service, routes, docs];
		return facts.map((fact, position): LivingFunction => {
			return { ...fact, paths: position === 0 ? [...own, pathsOf(host).routes] : own };
		});
	});
	return {
		modules: modules.map(({ name }) => name),
		/** Tasks change their values. */
		constants: modules.flatMap(({ constants }) => constants),
		functions,
		options: new Map(modules.map(({ name, settings }) => [name, settings.map((fact) => fact.name)])),
		introduced: [] as Introduced[],
		/** The values that answers wrote down, by constant. */
		notes: new Map<string, number>(),
		/** Names and descriptions that must not be given out again. */
		taken: new Set(functions.map((fact) => fact.name)),
		told: [] as Told[],
		/** In their order. */
		deployments: [] as Deployment[],
	};
}

/** Takes the first unused name; a number is added once the combinations are used up. */
export function freshName({ taken }: World, make: () => string): string {
	let name = make();
	for (let attempt = 1; attempt < 20 && taken.has(name); attempt += 1) name = make();
	const base = taken.has(name) ? make() : name;
	for (let number = 2; taken.has(name); number += 1) name = `${base}${number}`;
	taken.add(name);
	return name;
}
