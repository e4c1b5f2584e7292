/**
 * What a task wants of its files. Each goal is an edit that changes nothing once the task is done, so that it is the
 * reference solution, which a harness applies in place of a task that failed, and the check. The worker never sees it.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArguments } from "../../json.ts";
import { escapePattern } from "../naming.ts";

/** The text of a file as the task wants it; undefined if the file is not one that the task can change. "" stands for no file. */
type Goal = (text: string) => string | undefined;

/** By path. */
export type Goals = ReadonlyMap<string, Goal>;

const readText = (path: string): Promise<string> => readFile(path, "utf8").catch(() => "");

export async function isReached(directory: string, goals: Goals): Promise<boolean> {
	const reached = [...goals].map(async ([name, goal]) => {
		const text = await readText(join(directory, name));
		return goal(text) === text;
	});
	return (await Promise.all(reached)).every(Boolean);
}

/** Writes the reference solution. */
export async function reach(directory: string, goals: Goals): Promise<void> {
	for (const [name, goal] of goals) {
		const path = join(directory, name);
		const wanted = goal(await readText(path));
		if (wanted === undefined) throw new Error(`${path} is not as the task expects it`);
		await mkdir(dirname(path), { recursive: true });
		await writeFile(path, wanted);
	}
}

/** Replaces what stands behind a pattern that the file has once. */
const replaceBehind =
	(head: string, old: string, replacement: string): Goal =>
	(text) => {
		const pattern = new RegExp(`(${head})${old}`, "gm");
		if ([...text.matchAll(pattern)].length !== 1) return undefined;
		return text.replace(pattern, (_, kept: string) => kept + replacement);
	};

export const setConstant = (name: string, value: number): Goal =>
	replaceBehind(`^export const ${escapePattern(name)} = `, "[^;]*(?=;$)", `${value}`);

/** Of the constant of any name that has this description. */
export const setDescribedConstant = (description: string, value: number): Goal =>
	replaceBehind(
		`${escapePattern(description)}(?!\\w)[^\\n]*\\nexport const \\w+ = `,
		"\\d+(?=;)",
		`${value}`,
	);

export const addConstant =
	(name: string, description: string, value: number): Goal =>
	(text) =>
		setDescribedConstant(description, value)(text) ??
		`${text}\n/** ${description}. */\nexport const ${name} = ${value};\n`;

export const setOperator = (name: string, operator: string): Goal =>
	replaceBehind(`function ${name}\\([\\s\\S]*?line\\.amount `, "[<>]=?", operator);

export const takeFromSettings = (name: string, local: string, option: string): Goal =>
	replaceBehind(`function ${name}\\([\\s\\S]*?const ${local} = `, "[^;]+", `settings.${option}`);

export const addField =
	(type: string, option: string): Goal =>
	(text) => {
		const line = `\treadonly ${option}: number;\n`;
		return text.includes(line) ? text : replaceBehind(`interface ${type} \\{\\n`, "", line)(text);
	};

/** Next to the other options, which stay. */
export const addEntry =
	(option: string, value: number, others: readonly string[]): Goal =>
	(text) => {
		const config = parseArguments(text);
		if (!others.every((name) => name in config)) return undefined;
		return config[option] === value
			? text
			: `${JSON.stringify({ [option]: value, ...config }, undefined, "\t")}\n`;
	};

export const replaceWord =
	(from: string, to: string): Goal =>
	(text) => {
		const renamed = text.replace(new RegExp(`\\b${from}\\b`, "g"), to);
		return new RegExp(`\\b${to}\\b`).test(renamed) ? renamed : undefined;
	};

/** A line of its own in a file: below the first line, or the only one of a new file. */
export const addLine =
	(line: string): Goal =>
	(text) => {
		if (text.split("\n").includes(line)) return text;
		return text === "" ? `${line}\n` : text.replace("\n", () => `\n${line}\n`);
	};
