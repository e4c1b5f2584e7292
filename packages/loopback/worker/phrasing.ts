/**
 * The wordings of each kind of assignment, with the sentences that people write around them, and the parser that reads them back. Both come from one table: every wording
 * holds the clause of its form, and the parser looks for that clause in whatever text surrounds it. Prompts are prose
 * and not data, so that a real model can be given the same ones.
 */
import type { Assignment } from "./assignment.ts";
import { escapePattern } from "./naming.ts";
import type { Random } from "./random.ts";
import { TEXTS } from "./texts.ts";

/** Questions are named by the fact that they ask for. */
type FormName = Exclude<Assignment["type"], "question"> | "value" | "file";

interface Form {
	/** The words that carry the assignment, with its fields in braces. */
	readonly clause: string;
	/** Each is a whole prompt; `{clause}` stands for the clause. */
	readonly wordings: readonly string[];
}

/** The parser tries the forms in their order. */
const FORMS: Readonly<Record<FormName, Form>> = TEXTS.forms;

const AND = " and ";
const FIELD = /\{(\w+)\}/g;

/** The wordings of an assignment, each one complete in itself. */
export function phraseAssignment(assignment: Assignment): readonly string[] {
	const form = FORMS[assignment.type === "question" ? assignment.fact : assignment.type];
	const texts = new Map(
		Object.entries(assignment).map(([name, value]) => [
			name,
			Array.isArray(value) ? value.join(AND) : String(value),
		]),
	);
	const fill = (text: string) => text.replace(FIELD, (_, name: string) => texts.get(name) ?? "");
	return form.wordings.map((wording) => fill(wording.replace("{clause}", () => form.clause)));
}

/** The assignment in a user turn; undefined for a text that holds none, such as a greeting. */
export function parseAssignment(text: string): Assignment | undefined {
	for (const { kind, pattern } of readers) {
		const groups = pattern.exec(text)?.groups;
		if (!groups) continue;
		const fields = Object.entries(groups).map(([name, found]) => [name, READ[name]?.(found) ?? found]);
		// A clause names every field of its kind of assignment, which phrasing.test.ts checks for all of them.
		return { ...kind, ...Object.fromEntries(fields) };
	}
	return undefined;
}

/** Fields that are no plain text. */
const READ: Readonly<Record<string, (text: string) => unknown>> = {
	value: Number,
	folders: (text) => text.split(AND),
};

const FOLDER = "(?:[\\w@-]+/)*[\\w@-]+";
/** The texts that a field may hold outside quotes and backticks. */
const UNQUOTED: Readonly<Record<string, string>> = {
	value: "\\d+",
	folders: `${FOLDER}(?:${AND}${FOLDER})*`,
};

const readers = Object.entries(FORMS).map(([name, { clause }]) => ({
	kind: name === "value" || name === "file" ? { type: "question", fact: name } : { type: name },
	pattern: patternOf(clause),
}));

function patternOf(clause: string): RegExp {
	const escaped = escapePattern(clause).replaceAll("\\{", "{").replaceAll("\\}", "}");
	const source = escaped.replace(/(["`]?)\{(\w+)\}\1/g, (_, quote: string, name: string) =>
		quote === "" ? `(?<${name}>${UNQUOTED[name]})` : `${quote}(?<${name}>[^${quote}]+)${quote}`,
	);
	return new RegExp(source);
}

/** The request with 0 to 13 sentences around it: 33 to about 400 tokens in all. */
export function surroundWithChatter(random: Random, request: string): string {
	const count = random.pick([0, 0, 1, 2, 4, 7, 13]);
	const sentences = random.shuffle(TEXTS.chatter).slice(0, count);
	const before = sentences.slice(0, random.between(0, count));
	const after = sentences.slice(before.length);
	return [before.join(" "), request, after.join(" ")].filter((part) => part !== "").join("\n\n");
}
