/** Generates one task of each independent kind from the current world. */
import type { Assignment, Random } from "#loopback";
import { type Check, isAnswered, isExactly, isExported, isIntroduced, type Solve } from "./checks.ts";
import { bodyOf, type Files, mentionsOf } from "./landmarks.ts";
import { fresh, makeDescription, makeName, makeOption } from "./vocabulary.ts";
import { packageOf, plant, renamePaths, type World } from "./world.ts";

export interface Draft {
	readonly assignment: Assignment;
	/** The numbers of the tasks whose facts or decisions it depends on. */
	readonly dependsOn: readonly number[];
	readonly check: Check;
	readonly solve: Solve;
	/** The answer if nothing is to be changed. */
	readonly answer?: string;
	/** Records facts that later tasks may depend on. */
	readonly apply?: () => void;
}

export interface Drawing {
	readonly random: Random;
	readonly world: World;
	/** The files of the packages, before the first task. */
	readonly initial: Files;
	/** The number of the task to generate. */
	readonly task: number;
}

/** Returns undefined if the world has nothing for a task of this kind. */
export type Drafter = (drawing: Drawing) => Draft | undefined;

const OPERATORS = ["<", "<=", ">", ">=", "===", "!=="];
const SIBLINGS: Readonly<Record<string, string>> = {
	"<": "<=",
	"<=": "<",
	">": ">=",
	">=": ">",
	"===": "!==",
	"!==": "===",
};

/** A new bug, or one that is back because its fix was undone. */
export const draftBug: Drafter = (drawing) => {
	const back = drawing.world.mended.filter(({ isMended }) => !isMended);
	const again = back.length > 0 && drawing.random.between(1, 4) === 1 ? drawing.random.pick(back) : undefined;
	if (!again) return draftNewBug(drawing);
	return {
		assignment: { type: "bug", name: again.name, wrong: again.wrong, right: again.right },
		dependsOn: [],
		...exactly(swapOperator(again.path, again.name, again.wrong, again.right)),
		apply: () => {
			again.isMended = true;
			again.task = drawing.task;
		},
	};
};

const draftNewBug: Drafter = ({ random, world, initial, task }) => {
	const mark = random.pick(world.landmarks.functions);
	const body = bodyOf(world.files.get(mark.path) ?? "", mark.name);
	if (world.used.has(mark.name) || body === undefined) return undefined;
	const rest = body.slice(body.indexOf("\n"));
	const right = OPERATORS.find((one) => rest.split(` ${one} `).length === 2);
	const wrong = right && SIBLINGS[right];
	if (!right || !wrong || body.includes(` ${wrong} `) || body.split(` ${right} `).length !== 2)
		return undefined;
	return {
		assignment: { type: "bug", name: mark.name, wrong, right },
		dependsOn: [],
		...exactly(swapOperator(mark.path, mark.name, wrong, right)),
		apply: () => {
			const spoil = swapOperator(mark.path, mark.name, right, wrong);
			plant(world, initial, mark.path, (text) => spoil(() => text).get(mark.path) ?? text);
			world.used.add(mark.name);
			world.mended.push({ ...mark, wrong, right, task, isMended: true });
		},
	};
};

/** A check that compares with the reference solution. */
export const exactly = (solve: Solve): Pick<Draft, "check" | "solve"> => ({ check: isExactly(solve), solve });

/** Replaces the one comparison of a function that has this operator. */
export function swapOperator(path: string, name: string, from: string, to: string): Solve {
	return (read) => {
		const text = read(path);
		const body = bodyOf(text, name) ?? "";
		return new Map([[path, text.replace(body, () => body.replace(` ${from} `, () => ` ${to} `))]]);
	};
}

export const draftRename: Drafter = ({ random, world, task }) => {
	const mark = random.pick(world.landmarks.shared);
	if (world.used.has(mark.name)) return undefined;
	const paths = renamePaths(world, mark.name);
	if (!paths || paths.length < 2) return undefined;
	const to = fresh(world.taken, () => makeName(random, mark.name));
	if (mentionsOf(world.files, to).length > 0) return undefined;
	return {
		assignment: { type: "rename", from: mark.name, to, folders: [packageOf(mark.path)] },
		dependsOn: [],
		...exactly(replaceWord(paths, mark.name, to)),
		apply: () => {
			world.used.add(mark.name);
			world.renamed.push({ old: mark.name, mark: { ...mark, name: to }, task });
		},
	};
};

export function replaceWord(paths: readonly string[], from: string, to: string): Solve {
	const word = new RegExp(`\\b${from}\\b`, "g");
	return (read) => new Map(paths.map((path) => [path, read(path).replace(word, () => to)]));
}

export const draftExport: Drafter = ({ random, world }) => {
	const path = random.pick(world.landmarks.modules);
	const option = fresh(world.taken, () => makeOption(random));
	const value = random.between(2, 900);
	const test = `tests/${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.test.cjs`;
	if ((world.files.get(path) ?? "").includes(option)) return undefined;
	const content = `require("node:assert").strictEqual(require("../${path}").${option}, ${value});\n`;
	return {
		assignment: { type: "export", option, value, path, test },
		dependsOn: [],
		check: isExported(path, test, option, value),
		solve: (read) =>
			new Map([
				[path, read(path).replace("module.exports = {\n", (head) => `${head}  ${option}: ${value},\n`)],
				[test, content],
			]),
	};
};

export const draftIntroduction: Drafter = ({ random, world, task }) => {
	const path = random.pick(world.landmarks.open);
	const description = fresh(world.taken, () => makeDescription(random));
	const value = random.between(2, 900);
	const name = `APP_${world.introduced.length}`;
	return {
		assignment: { type: "introduce", description, value, path },
		dependsOn: [],
		check: isIntroduced(path, description, value),
		solve: (read) => new Map([[path, `${read(path)}\n/** ${description}. */\nconst ${name} = ${value};\n`]]),
		apply: () => world.introduced.push({ description, path, value, task }),
	};
};

export const draftHome: Drafter = ({ random, world }) => {
	const mark = random.pick(world.landmarks.functions);
	if (world.used.has(mark.name)) return undefined;
	return draftQuestion({ type: "ask", fact: "home", about: mark.name }, mark.path);
};

export const draftMentions: Drafter = ({ random, world }) => {
	const mark = random.pick(world.landmarks.shared);
	if (world.used.has(mark.name) || !world.landmarks.functions.some(({ name }) => name === mark.name))
		return undefined;
	const { length } = mentionsOf(world.files, mark.name);
	return draftQuestion({ type: "ask", fact: "mentions", about: mark.name }, String(length));
};

export function draftQuestion(
	assignment: Assignment,
	answer: string,
	dependsOn: readonly number[] = [],
): Draft {
	return { assignment, dependsOn, check: isAnswered(answer), answer, solve: () => new Map() };
}
