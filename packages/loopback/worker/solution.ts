/** Reference solutions: a harness applies one in place of a task that failed, so that the failure counts once. */

import { escapePattern } from "./pattern.ts";

/** The new text of a file, from its old one; "" stands for a missing file. */
type Edit = (text: string) => string;

/** The edit of each file that the task may change, by path. */
export type Solution = ReadonlyMap<string, Edit>;

/** Replaces the first match of a pattern behind another one, which stays. */
const replaceBehind =
	(head: string, old: string, replacement: string): Edit =>
	(text) =>
		text.replace(new RegExp(`(${head})${old}`, "m"), (_, kept: string) => kept + replacement);

export const setConstant = (name: string, value: number): Edit =>
	replaceBehind(`^export const ${escapePattern(name)} = `, "\\d+", `${value}`);

export const setDescribedConstant = (description: string, value: number): Edit =>
	replaceBehind(`${escapePattern(description)}(?!\\w)[^\\n]*\\nexport const \\w+ = `, "\\d+", `${value}`);

export const addConstant =
	(name: string, description: string, value: number): Edit =>
	(text) =>
		`${text}\n/** ${description}. */\nexport const ${name} = ${value};\n`;

export const setOperator = (name: string, operator: string): Edit =>
	replaceBehind(`function ${name}\\([\\s\\S]*?line\\.amount `, "[<>]=?", operator);

export const takeFromSettings = (name: string, local: string, option: string): Edit =>
	replaceBehind(`function ${name}\\([\\s\\S]*?const ${local} = `, "[^;]+", `settings.${option}`);

export const addField = (type: string, option: string): Edit =>
	replaceBehind(`interface ${type} \\{\\n`, "", `\treadonly ${option}: number;\n`);

export const addEntry =
	(option: string, value: number): Edit =>
	(text) =>
		`${JSON.stringify({ [option]: value, ...JSON.parse(text) }, undefined, "\t")}\n`;

export const replaceWord =
	(from: string, to: string): Edit =>
	(text) =>
		text.replace(new RegExp(`\\b${from}\\b`, "g"), to);
