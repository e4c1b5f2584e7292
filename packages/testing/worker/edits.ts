/**
 * The edits that tasks ask for. Each changes nothing once it is made, so that one function is the reference solution of a
 * task, which a harness applies in place of a task that failed, its check, and the worker's edit of a file that it sees.
 */
import { parseFields } from "#basics";
import { type Edit, type Fields, fill } from "./kinds.ts";

/** The text of a file as it should be; undefined if the file is not one that the edit fits. "" stands for no file. */
export type Goal = (text: string) => string | undefined;

export function goalOf(edit: Edit, fields: Fields): Goal {
	const filled = (text = "") => fill(text, fields);
	const wanted = filled(edit.new);
	if (edit.word) return replaceWord(filled(edit.word), wanted);
	if (edit.line) return addLine(filled(edit.line));
	if (edit.entry) return addEntry(filled(edit.entry), Number(wanted), String(fields.others ?? ""));
	const replace = replaceBehind(filled(edit.behind), edit.old ?? "", wanted);
	if (edit.describes) return describe(replace, filled(edit.describes), fields);
	return (text) => (edit.isAdded && text.includes(wanted) ? text : replace(text));
}

/** Replaces a text behind a pattern that the file has once. */
const replaceBehind =
	(head: string, old: string, replacement: string): Goal =>
	(text) => {
		const pattern = new RegExp(`(${head})${old}`, "gm");
		if ([...text.matchAll(pattern)].length !== 1) return undefined;
		return text.replace(pattern, (_, kept: string) => kept + replacement);
	};

const SMALL_WORDS = new Set(["for", "in", "of", "the", "a"]);

/** Replaces the value, or adds the constant: under the name `added`, or after the last one under a name that begins like that one. */
const describe =
	(replace: Goal, description: string, { added, value }: Fields): Goal =>
	(text) => {
		if (added) return replace(text) ?? `${text}\n/** ${description}. */\nexport const ${added} = ${value};\n`;
		if (new RegExp(`${description}(?!\\w)`).test(text)) return replace(text);
		const lines = text.split("\n");
		const last = lines.findLastIndex((line) => /^export const \w+ = \d+;$/.test(line));
		if (last === -1) return undefined;
		const [prefix = ""] = /(?<=const )[^\W_]*/.exec(lines[last] ?? "") ?? [];
		const words = description.toLowerCase().match(/[a-z0-9]+/g) ?? [];
		const name = [prefix, ...words.filter((word) => !SMALL_WORDS.has(word))].join("_").toUpperCase();
		return lines
			.toSpliced(last + 1, 0, "", `/** ${description}. */`, `export const ${name} = ${value};`)
			.join("\n");
	};

/** Next to the other options, whose names have blanks between them, and which stay. */
const addEntry =
	(option: string, value: number, others: string): Goal =>
	(text) => {
		const config = parseFields(text);
		if (!others.split(" ").every((name) => name === "" || name in config)) return undefined;
		return config[option] === value
			? text
			: `${JSON.stringify({ [option]: value, ...config }, undefined, "\t")}\n`;
	};

const replaceWord =
	(from: string, to: string): Goal =>
	(text) => {
		const renamed = text.replace(new RegExp(`\\b${from}\\b`, "g"), to);
		return new RegExp(`\\b${to}\\b`).test(renamed) ? renamed : undefined;
	};

/** A line of its own in a file: below the first line, or the only one of a new file. */
const addLine =
	(line: string): Goal =>
	(text) => {
		if (text.split("\n").includes(line)) return text;
		return text === "" ? `${line}\n` : text.replace("\n", () => `\n${line}\n`);
	};
