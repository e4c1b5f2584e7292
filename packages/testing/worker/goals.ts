/**
 * The edits that tasks ask for. Each changes nothing once it is made, so that one function is the reference solution of a
 * task, which a harness applies in place of a task that failed, its check, and the worker's edit of a file that it sees.
 */
import { isRecord } from "#basics";
import { parseJson } from "../json.ts";
import { escapePattern } from "./naming.ts";

/** The text of a file as it should be; undefined if the file is not one that the edit fits. "" stands for no file. */
export type Goal = (text: string) => string | undefined;

/** Replaces what stands behind a pattern that the file has once. */
const replaceBehind =
	(head: string, old: string, replacement: string): Goal =>
	(text) => {
		const pattern = new RegExp(`(${head})${old}`, "gm");
		if ([...text.matchAll(pattern)].length !== 1) return undefined;
		return text.replace(pattern, (_, kept: string) => kept + replacement);
	};

export const setConstant = (name: string, value: number | string): Goal =>
	replaceBehind(`^export const ${escapePattern(name)} = `, "[^;]*(?=;$)", `${value}`);

/** Of the constant of any name that has this description. */
export const setDescribedConstant = (description: string, value: number | string): Goal =>
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
	(option: string, value: number, others: readonly string[] = []): Goal =>
	(text) => {
		const config = parseJson(text);
		if (!isRecord(config) || !others.every((name) => name in config)) return undefined;
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
