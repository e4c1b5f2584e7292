/** The checks of the tasks, on the changed files and the answer. The worker never sees them. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Change, listChanges } from "./repository.ts";

const run = promisify(execFile);
const TEST_TIMEOUT_MS = 20_000;

/** The result of a task's turn. */
export interface Outcome {
	readonly directory: string;
	/** The last message of the agent. */
	readonly answer: string;
}

export type Check = (outcome: Outcome) => Promise<boolean>;

/** The text of a file before the task; "" if it did not exist. */
export type ReadFile = (path: string) => string;
/** The expected files after the task, by path. */
export type Solve = (read: ReadFile) => ReadonlyMap<string, string>;

/** Checks that the files equal the reference solution, and that nothing else changed. */
export function isExactly(solve: Solve): Check {
	return async ({ directory }) => {
		const changes = await listChanges(directory);
		const wanted = solve((path) => changes.get(path)?.before ?? "");
		const isRight = ([path, text]: readonly [string, string]) => changes.get(path)?.after === text;
		return changes.size === wanted.size && [...wanted].every(isRight);
	};
}

/**
 * Checks that one constant of any name was added to the file with this description and value, and that nothing else
 * changed.
 */
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

/** Matches a constant on the line below its description: the text before its number, and the number. */
export function describedNumber(description: string): RegExp {
	return new RegExp(`(${description}(?!\\w)[^\\n]*\\n(?:export )?(?:const|let|var) \\w+ = )(\\d+)\\b`, "g");
}

/** Returns true if all old lines are still there in order, with at most so many new lines that are not blank. */
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

/** Checks that the module exports the option, and that the test passes with its value and fails with another one. */
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

/** Checks that the question was answered in the requested form, and that nothing changed. */
export function isAnswered(expected: string): Check {
	return async ({ directory, answer }) => {
		const said = answer.match(/ANSWER: *[`"*]*([^\s`"*]+)/)?.[1]?.replace(/\.$/, "");
		return said === expected && (await listChanges(directory)).size === 0;
	};
}
