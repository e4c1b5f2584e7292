/**
 * The request of a prompt as data, and its wordings: the tasks phrase it, with the sentences that people write around it, and
 * the worker parses it back. Both come from one table: every wording holds the clause of its form, and the parser looks for
 * that clause in whatever text surrounds it. Prompts are prose and not data, so that a real model can be given the same ones.
 */
import { escapePattern } from "./naming.ts";
import type { Random } from "./random.ts";
import TEXTS from "./texts.json" with { type: "json" };

/** The fields of each kind of request that the repository or its history answers. */
interface RepositoryRequests {
	/** Give a named constant another value. */
	constant: { readonly name: string; readonly value: number };
	/** Fix the one comparison of a named function. */
	bug: { readonly name: string; readonly wrong: string; readonly right: string };
	/** Rename an identifier in every file under some folders. */
	rename: { readonly from: string; readonly to: string; readonly folders: readonly string[] };
	/** Rename what an earlier task already renamed; the prompt gives only the name before that. */
	formerly: { readonly old: string; readonly to: string; readonly folders: readonly string[] };
	/** Restore the comparison of a function that an earlier task changed; the prompt does not repeat the operator. */
	undo: { readonly name: string };
	/** Add an option to a config file and its interface, and let a function take a local from it. */
	option: { readonly [field in "option" | "config" | "settingsType" | "name" | "local"]: string } & {
		readonly value: number;
	};
	/** Add a constant with a name of the worker's choice to a file. */
	introduce: { readonly description: string; readonly value: number; readonly path: string };
	/** Give the constant that an earlier task introduced another value; the prompt gives only its description. */
	adjust: { readonly description: string; readonly value: number };
	/** Give one such constant the value of another one; the prompt gives only their descriptions. */
	match: { readonly description: string; readonly model: string };
	/** Find the value of a constant or the file of a function, and write it into a notes file. */
	question: { readonly name: string; readonly fact: "value" | "file"; readonly notes: string };
	/** Give a constant the value that an earlier answer wrote down. */
	reuse: { readonly noted: string; readonly name: string };
}

/** Requests about facts that no file holds: those that give such a fact, and those that need one later. */
interface MemoryRequests {
	/** The user gives a code in passing, or a new one for the same subject. */
	told: { readonly subject: string; readonly code: string; readonly notes: string };
	/** Write down the latest code of a subject. */
	recite: { readonly subject: string; readonly notes: string };
	/** Write down the first code of a subject whose code has changed since. */
	first: { readonly subject: string; readonly notes: string };
	/** The user shows an exact wording. */
	show: { readonly title: string; readonly wording: string; readonly notes: string };
	/** Put such a wording into a file. */
	insert: { readonly title: string; readonly path: string };
	/** Give a constant another value, for a stated reason. */
	decide: { readonly name: string; readonly value: number; readonly reason: string };
	/** Write down the reason of a decision. */
	why: { readonly name: string; readonly value: number; readonly notes: string };
	/** Run a script that prints a long log, once. */
	deploy: { readonly label: string };
	/** Write down an id that the log of a deployment showed. */
	release: { readonly label: string; readonly notes: string };
	/** Change a constant as the log of a deployment advised. */
	advise: { readonly label: string };
	/** Add up a figure over the logs of all deployments so far. */
	total: { readonly notes: string };
}

type Requests = RepositoryRequests & MemoryRequests;
export type RepositoryKind = keyof RepositoryRequests;
export type MemoryKind = keyof MemoryRequests;

/** A request of one of some kinds. */
export type Of<T extends keyof Requests> = { [K in T]: { readonly type: K } & Requests[K] }[T];

export type Assignment = Of<keyof Requests>;

/**
 * The words that carry each assignment, with its fields in braces, and whole prompts with them; questions are named by the fact
 * that they ask for. The parser tries the forms in their order.
 */
const FORMS = TEXTS.forms;

const AND = " and ";
const FIELD = /\{(\w+)\}/g;

/** The wordings of an assignment, each one complete in itself. */
export function phraseAssignment(assignment: Assignment): readonly string[] {
	const form = FORMS[assignment.type === "question" ? assignment.fact : assignment.type];
	return form.wordings.map((wording) =>
		fillFields(
			wording.replace("{clause}", () => form.clause),
			assignment,
		),
	);
}

/** A text with the fields of an assignment in place of their names in braces. */
function fillFields(text: string, assignment: Assignment, spell = (value: string) => value): string {
	const fields = new Map(Object.entries(assignment));
	return text.replace(FIELD, (_, name: string) => spell([fields.get(name)].flat().join(AND)));
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
