/**
 * The wordings of each kind of assignment, and the parser that reads them back. Both come from one table: every wording
 * holds the clause of its form, and the parser looks for that clause in whatever text surrounds it. Prompts are prose
 * and not data, because `npm run bench -- single-session --model` gives the same ones to a real model.
 */
import type { Assignment } from "./assignment.ts";
import { MEMORY_FORMS } from "./memory/memory-forms.ts";
import { escapePattern } from "./pattern.ts";

interface Form {
	/** The words that carry the assignment, with its fields in braces. */
	readonly clause: string;
	/** Each is a whole prompt; `{clause}` stands for the clause. */
	readonly wordings: readonly string[];
}

const NOTE =
	"Find out, and write the answer to `{notes}` as a line that has the name, a colon, a blank and the answer.";

/** The parser tries the forms in this order. */
const FORMS = {
	...MEMORY_FORMS,
	reuse: {
		clause: "wrote down a value for `{noted}` in the notes. Set the constant `{name}` to",
		wordings: ["You {clause} the very number that stands there, even if the code has moved on since."],
	},
	constant: {
		clause: "set the constant `{name}` to {value}",
		wordings: [
			"Please {clause}. Nothing else should change, and the tools should agree with you when you are done.",
			"The number behind `{name}` is off. Could you {clause}, and check that it really says so?",
		],
	},
	bug: {
		clause: "the function `{name}`: its comparison uses `{wrong}` where it should use `{right}`",
		wordings: [
			"There is a bug in {clause}. Please fix it there and only there.",
			"We get wrong totals from {clause}. Can you mend that one line?",
		],
	},
	rename: {
		clause: "rename `{from}` to `{to}` in every file under {folders}",
		wordings: [
			"Please {clause}, imports and prose included. Leave build output alone.",
			"The old name confuses people. Could you {clause}, without leaving one behind?",
		],
	},
	formerly: {
		clause:
			"What used to be `{old}` before we renamed it should be `{to}` instead, in every file under {folders}",
		wordings: [
			"We have changed our minds about a name. {clause}, prose included.",
			"One more round on naming, sorry. {clause}, with nothing else touched.",
		],
	},
	undo: {
		clause: "The comparison that we changed in the function `{name}` was right before we touched it",
		wordings: [
			"{clause}. Please put back the operator that stood there, and change nothing else.",
			"It turns out that we misread the report. {clause}, so give it back the operator that it had.",
		],
	},
	option: {
		clause:
			"Add an option `{option}` with the value {value} to `{config}`, declare it in the interface `{settingsType}`, and let the function `{name}` take its `{local}` from there",
		wordings: ["{clause}."],
	},
	introduce: {
		clause: 'Add a constant for "{description}" with the value {value} to `{path}`',
		wordings: [
			"{clause}. Name it in the style of the file, and put that description above it, word for word.",
		],
	},
	adjust: {
		clause: 'The constant that we added for "{description}" should be {value}',
		wordings: [
			"{clause}. I do not remember what it is called or where it went, so look it up.",
			"Remember the new number from before? {clause} from now on.",
		],
	},
	match: {
		clause:
			'The constant that we added for "{description}" should have the value that the one for "{model}" has',
		wordings: [
			"{clause} at present. I do not remember either name, so look both up and change only the first.",
		],
	},
	value: {
		clause: `Which value does the constant \`{name}\` have at present? ${NOTE}`,
		wordings: ["{clause}"],
	},
	file: {
		clause: `Which file defines the function \`{name}\` at present? ${NOTE}`,
		wordings: ["{clause}"],
	},
} as const satisfies Readonly<Record<string, Form>>;

const AND = " and ";
const FIELD = /\{(\w+)\}/g;

/** The wordings of an assignment, each one complete in itself. */
export function phraseAssignment(assignment: Assignment): readonly string[] {
	const form: Form = FORMS[assignment.type === "question" ? assignment.fact : assignment.type];
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
	kind: kindOf(name),
	pattern: patternOf(clause),
}));

/** Questions are named by the fact that they ask for. */
function kindOf(form: string): object {
	if (form === "value" || form === "file") return { type: "question", fact: form };
	return { type: form };
}

function patternOf(clause: string): RegExp {
	const escaped = escapePattern(clause).replaceAll("\\{", "{").replaceAll("\\}", "}");
	const source = escaped.replace(/(["`]?)\{(\w+)\}\1/g, (_, quote: string, name: string) =>
		quote === "" ? `(?<${name}>${UNQUOTED[name]})` : `${quote}(?<${name}>[^${quote}]+)${quote}`,
	);
	return new RegExp(source);
}
