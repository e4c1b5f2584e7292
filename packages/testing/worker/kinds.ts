/**
 * The kinds of tasks as data (`kinds.json`): how people ask for one, what the worker searches, what changes in which file, and how the
 * outcome is checked. Prompts are prose and not data, so that a real model can be given the same ones: the worker looks for the
 * clause of a kind in whatever text surrounds it.
 */
import DATA from "./kinds.json" with { type: "json" };
import { escapePattern } from "./naming.ts";
import type { Random } from "./random.ts";
import TEXTS from "./texts.json" with { type: "json" };

/** The values that a task names, and those that the worker finds out, by the names in braces. */
export type Fields = Readonly<Record<string, string | number>>;

/** The request of a prompt: a kind with its fields. */
export interface Assignment extends Fields {
	readonly type: string;
}

/** A change of a file that is made once: `new` takes the place of `old` behind a pattern. The others are named after what they change. */
export interface Edit {
	/** The path of the file; or the file of the module, for the reference solution, and a pattern by which the worker finds it. */
	readonly path?: string;
	readonly file?: string;
	readonly place?: string;
	readonly behind?: string;
	readonly old?: string;
	readonly new?: string;
	/** Nothing is replaced, and the text is added where it is not there. */
	readonly isAdded?: boolean;
	/** An option of a JSON file. */
	readonly entry?: string;
	/** A word in all files that have it. */
	readonly word?: string;
	/** A line below the first one. */
	readonly line?: string;
	/** The constant with this description, which is added where there is none. */
	readonly describes?: string;
}

/** Where the worker finds a value that the prompt does not repeat. */
export interface FactSource {
	/** In an earlier request of this kind, which has the other fields too: a field `takes`, `as` which it is used. */
	readonly said?: string;
	readonly takes?: string;
	readonly as?: string;
	/** True for the first such request in place of the last. */
	readonly isFirst?: boolean;
	/** In a line that anything showed, or that the worker noted in this turn. */
	readonly shown?: string;
	readonly noted?: string;
	/** The worker notes the line too. */
	readonly isNoted?: boolean;
	/** In code of its own, or in what a command shows of the git history of the file with a pattern. */
	readonly is?: string;
	readonly log?: string;
	readonly place?: string;
	/** The searches of a worker that does not know it yet. */
	readonly searches?: readonly string[];
}

export interface Kind {
	/** The words that carry the request, and whole prompts with them. */
	readonly clause: string;
	readonly wordings: readonly string[];
	/** The kind in the name of a task, if it is another. */
	readonly id?: string;
	/** The identifier or phrase that the task is about. */
	readonly subject: string;
	/** The way in which it is done; edits if left out. */
	readonly plan?: string;
	readonly known?: Fields;
	readonly fact?: FactSource;
	readonly searches?: readonly string[];
	/** Files that the prompt itself names. */
	readonly hints?: readonly string[];
	readonly command?: string;
	/** A pattern whose group is a value in a file. */
	readonly reads?: string;
	readonly place?: string;
	/** The command that shows the outcome, and a pattern of its output; without one, the edits change nothing in it. */
	readonly check: string;
	readonly passes?: string;
	readonly edits?: readonly Edit[];
}

const KINDS: Readonly<Record<string, Kind>> = DATA;

export function kindOf({ type }: Assignment): Kind {
	const kind = KINDS[type];
	if (!kind) throw new RangeError(`there is no kind of task ${type}`);
	return kind;
}

/** A text with fields in place of their names in braces; names without a field stay. */
export const fill = (text: string, fields: Fields): string =>
	text.replace(/\{(\w+)\}/g, (name, field: string) => String(fields[field] ?? name));

/** A pattern in which fields are filled in. */
export const patternOf = (text: string, fields: Fields): RegExp => new RegExp(fill(text, fields), "m");

/** Reads the fields that are missing from a line of this form. */
export function readForm(form: string, known: Fields = {}): RegExp {
	const escaped = escapePattern(fill(form, known)).replaceAll("\\{", "{").replaceAll("\\}", "}");
	const groups = escaped.replace(/(["`]?)\{(\w+)\}\1/g, (_, quote: string, name: string) => {
		const text = quote === "" ? (name === "value" ? "\\d+" : "[\\w-]+") : `[^${quote}]+`;
		return `${quote}(?<${name}>${text})${quote}`;
	});
	return new RegExp(groups);
}

const READERS = Object.entries(KINDS).map(([type, { clause }]) => ({ type, pattern: readForm(clause) }));

/** The assignment in a user turn; undefined for a text that holds none, such as a greeting. */
export function parseAssignment(text: string): Assignment | undefined {
	for (const { type, pattern } of READERS) {
		const groups = pattern.exec(text)?.groups;
		if (groups) return { ...groups, type };
	}
	return undefined;
}

/** The wordings of an assignment, each one complete in itself. */
export function phraseAssignment(assignment: Assignment): readonly string[] {
	const { clause, wordings } = kindOf(assignment);
	return wordings.map((wording) =>
		fill(
			wording.replace("{clause}", () => clause),
			assignment,
		),
	);
}

/** The request with 0 to 13 sentences around it: 33 to about 400 tokens in all. */
export function surroundWithChatter(random: Random, request: string): string {
	const count = random.pick([0, 0, 1, 2, 4, 7, 13]);
	const sentences = random.shuffle(TEXTS.chatter).slice(0, count);
	const before = sentences.slice(0, random.between(0, count));
	const after = sentences.slice(before.length);
	return [before.join(" "), request, after.join(" ")].filter((part) => part !== "").join("\n\n");
}
