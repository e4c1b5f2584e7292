/** The checks of the tasks: what changed in the repository, and what was said. The worker never sees them. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Change, listChanges } from "./repository.ts";

const run = promisify(execFile);
const TEST_TIMEOUT_MS = 20_000;

/** A task's turn when it is over. */
export interface Outcome {
	readonly directory: string;
	/** The last thing that the agent said. */
	readonly answer: string;
}

export type Check = (outcome: Outcome) => Promise<boolean>;

/** The text of a file as it was before the task, "" when it was not there. */
export type ReadFile = (path: string) => string;
/** The files as they should be afterwards, by path. */
export type Solve = (read: ReadFile) => ReadonlyMap<string, string>;

/** Is everything as the reference solution has it, and nothing else touched? */
export function isExactly(solve: Solve): Check {
	return async ({ directory }) => {
		const changes = await listChanges(directory);
		const wanted = solve((path) => changes.get(path)?.before ?? "");
		const isRight = ([path, text]: readonly [string, string]) => changes.get(path)?.after === text;
		return changes.size === wanted.size && [...wanted].every(isRight);
	};
}

/** Was one constant of any name added to this file, under this description and with this value, and nothing else? */
export function isIntroduced(path: string, description: string, value: number): Check {
	return async ({ directory }) => {
		const changes = await listChanges(directory);
		const { before = "", after = "" } = changes.get(path) ?? {};
		const found = [...after.matchAll(describedNumber(description))];
		return (
			changes.size === 1 &&
			isAddition({ before, after }, 4) &&
			found.length === 1 &&
			found[0]?.[2] === `${value}`
		);
	};
}

/** A constant on the line below its description: what stands before its number, and the number. */
export function describedNumber(description: string): RegExp {
	return new RegExp(`(${description}(?!\\w)[^\\n]*\\n(?:export )?(?:const|let|var) \\w+ = )(\\d+)\\b`, "g");
}

/** Are all old lines still there, in their order, with at most so many new ones that are not blank? */
function isAddition({ before = "", after = "" }: Change, most: number): boolean {
	const old = before.split("\n");
	let next = 0;
	let added = 0;
	for (const line of after.split("\n")) {
		if (next < old.length && line === old[next]) next += 1;
		else if (line.trim() !== "") added += 1;
	}
	return next === old.length && added <= most;
}

/** Does the module export the option, and does the test pass with it and fail with another value? */
export function isExported(path: string, test: string, option: string, value: number): Check {
	return async ({ directory }) => {
		const changes = await listChanges(directory);
		const change = changes.get(path);
		if (!change?.after || changes.size !== 2 || !changes.has(test) || !isAddition(change, 3)) return false;
		const program = `process.exit(require("./${path}").${option} === ${value} ? 0 : 1)`;
		if (!(await succeeds(directory, ["-e", program]))) return false;
		if (!(await succeeds(directory, ["--test", test]))) return false;
		const other = change.after.replace(
			new RegExp(`(\\b${option}\\b["']?\\s*[:=]\\s*)${value}\\b`),
			`$1${value + 1}`,
		);
		await writeFile(join(directory, path), other);
		const isBlind = await succeeds(directory, ["--test", test]);
		await writeFile(join(directory, path), change.after);
		return !isBlind;
	};
}

async function succeeds(directory: string, args: readonly string[]): Promise<boolean> {
	return run(process.execPath, [...args], { cwd: directory, timeout: TEST_TIMEOUT_MS }).then(
		() => true,
		() => false,
	);
}

/** Was the question answered in the form asked for, and nothing changed? */
export function isAnswered(expected: string): Check {
	return async ({ directory, answer }) => {
		const said = answer.match(/ANSWER: *[`"*]*([^\s`"*]+)/)?.[1]?.replace(/\.$/, "");
		return said === expected && (await listChanges(directory)).size === 0;
	};
}
