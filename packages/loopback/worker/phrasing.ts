/** How a person words an assignment, and how a reader gets it back out of the prompt. */

import type { Assignment } from "./assignment.ts";

/** The wordings of an assignment, each one complete in itself. */
export function phraseAssignment(assignment: Assignment): readonly string[] {
	switch (assignment.type) {
		case "constant":
			return [
				`Please set the constant \`${assignment.name}\` to ${assignment.value}. Nothing else should change, and the tools should agree with you when you are done.`,
				`The number behind \`${assignment.name}\` is off. Could you set the constant \`${assignment.name}\` to ${assignment.value}, and check that it really says so?`,
			];
		case "bug":
			return [
				`There is a bug in the function \`${assignment.name}\`: its comparison uses \`${assignment.wrong}\` where it should use \`${assignment.right}\`. Please fix it there and only there.`,
				`We get wrong totals from the function \`${assignment.name}\`: its comparison uses \`${assignment.wrong}\` where it should use \`${assignment.right}\`. Can you mend that one line?`,
			];
		case "rename":
			return [
				`Please rename \`${assignment.from}\` to \`${assignment.to}\` in every file under ${assignment.folders.join(" and ")}, imports and prose included. Leave build output alone.`,
				`The old name confuses people. Could you rename \`${assignment.from}\` to \`${assignment.to}\` in every file under ${assignment.folders.join(" and ")}, without leaving one behind?`,
			];
		case "formerly":
			return [
				`We have changed our minds about a name. What used to be \`${assignment.old}\` before we renamed it should be \`${assignment.to}\` instead, in every file under ${assignment.folders.join(" and ")}, prose included.`,
				`One more round on naming, sorry. What used to be \`${assignment.old}\` before we renamed it should be \`${assignment.to}\` instead, in every file under ${assignment.folders.join(" and ")}, with nothing else touched.`,
			];
		case "undo":
			return [
				`The comparison that we changed in the function \`${assignment.name}\` was right before we touched it. Please put back the operator that stood there, and change nothing else.`,
				`It turns out that we misread the report. The comparison that we changed in the function \`${assignment.name}\` was right before we touched it, so give it back the operator that it had.`,
			];
		case "export":
			return [
				`Export an option \`${assignment.option}\` with the value ${assignment.value} from the object that \`${assignment.path}\` exports, and add a test \`${assignment.test}\` for node --test that requires the module and fails when the value is another one.`,
			];
		case "option":
			return [
				`Add an option \`${assignment.option}\` with the value ${assignment.value} to \`${assignment.config}\`, declare it in the interface \`${assignment.settingsType}\`, and let the function \`${assignment.name}\` take its \`${assignment.local}\` from there.`,
			];
		case "introduce":
			return [
				`Add a constant for "${assignment.description}" with the value ${assignment.value} to \`${assignment.path}\`. Name it in the style of the file, and put that description above it, word for word.`,
			];
		case "adjust":
			return [
				`The constant that we added for "${assignment.description}" should be ${assignment.value}. I do not remember what it is called or where it went, so look it up.`,
				`Remember the new number from before? The constant that we added for "${assignment.description}" should be ${assignment.value} from now on.`,
			];
		case "match":
			return [
				`The constant that we added for "${assignment.description}" should have the value that the one for "${assignment.model}" has at present. I do not remember either name, so look both up and change only the first.`,
			];
		case "question":
			return [
				assignment.fact === "value"
					? `Which value does the constant \`${assignment.name}\` have at present? Find out, and write the answer to \`${assignment.notes}\` as a line that has the name, a colon, a blank and the answer.`
					: `Which file defines the function \`${assignment.name}\` at present? Find out, and write the answer to \`${assignment.notes}\` as a line that has the name, a colon, a blank and the answer.`,
			];
		case "ask":
			return [`${QUESTIONS[assignment.fact](assignment.about)} ${ANSWER_FORM}`];
		case "reuse":
			return [
				`You wrote down a value for \`${assignment.noted}\` in the notes. Set the constant \`${assignment.name}\` to the very number that stands there, even if the code has moved on since.`,
			];
	}
}

const ANSWER_FORM =
	"Look it up and change nothing. End with a line that has the word ANSWER, a colon, a blank and the answer.";

const QUESTIONS = {
	home: (name: string) => `In which file is the function \`${name}\` defined at present?`,
	mentions: (name: string) => `How many files mention the name \`${name}\` at present?`,
	described: (description: string) =>
		`Which value does the constant that we added for "${description}" have at present?`,
} as const;

const QUOTED = "`([^`]+)`";
/** Folders, with "and" between them. */
const FOLDERS = "((?:[\\w@-]+/)*[\\w@-]+(?: and (?:[\\w@-]+/)*[\\w@-]+)*)";
const PATTERNS = {
	constant: new RegExp(`[Ss]et the constant ${QUOTED} to (\\d+)`),
	bug: new RegExp(`the function ${QUOTED}: its comparison uses ${QUOTED} where it should use ${QUOTED}`),
	rename: new RegExp(`rename ${QUOTED} to ${QUOTED} in every file under ${FOLDERS}`),
	formerly: new RegExp(
		`What used to be ${QUOTED} before we renamed it should be ${QUOTED} instead, in every file under ${FOLDERS}`,
	),
	undo: new RegExp(`comparison that we changed in the function ${QUOTED} was right before`),
	export: new RegExp(
		`Export an option ${QUOTED} with the value (\\d+) from the object that ${QUOTED} exports, and add a test ${QUOTED}`,
	),
	option: new RegExp(
		`Add an option ${QUOTED} with the value (\\d+) to ${QUOTED}, declare it in the interface ${QUOTED}, and let the function ${QUOTED} take its ${QUOTED} from there`,
	),
	introduce: new RegExp(`Add a constant for "([^"]+)" with the value (\\d+) to ${QUOTED}`),
	adjust: /The constant that we added for "([^"]+)" should be (\d+)/,
	match: /The constant that we added for "([^"]+)" should have the value that the one for "([^"]+)" has/,
	question: new RegExp(
		`Which (value|file) (?:does|defines) the (?:constant|function) ${QUOTED} (?:have )?at present\\? Find out, and write the answer to ${QUOTED}`,
	),
	home: new RegExp(`In which file is the function ${QUOTED} defined at present`),
	mentions: new RegExp(`How many files mention the name ${QUOTED} at present`),
	described: /Which value does the constant that we added for "([^"]+)" have at present/,
	reuse: new RegExp(`wrote down a value for ${QUOTED} in the notes\\. Set the constant ${QUOTED} to`),
} as const;

/** The assignment in a user turn, or undefined when the text holds none: a note, a greeting, a question of another kind. */
export function parseAssignment(text: string): Assignment | undefined {
	for (const type of Object.keys(READERS)) {
		const assignment = READERS[type]?.(text);
		if (assignment) return assignment;
	}
	return undefined;
}

type Reader = (text: string) => Assignment | undefined;

/** A reader gets the groups of its pattern; a group that is missing cannot happen, and reads as an empty string. */
function reader(pattern: RegExp, read: (group: (index: number) => string) => Assignment): Reader {
	return (text) => {
		const match = pattern.exec(text);
		return match ? read((index) => match[index] ?? "") : undefined;
	};
}

const READERS: Readonly<Record<string, Reader>> = {
	reuse: reader(PATTERNS.reuse, (at) => ({ type: "reuse", noted: at(1), name: at(2) })),
	constant: reader(PATTERNS.constant, (at) => ({ type: "constant", name: at(1), value: Number(at(2)) })),
	bug: reader(PATTERNS.bug, (at) => ({ type: "bug", name: at(1), wrong: at(2), right: at(3) })),
	rename: reader(PATTERNS.rename, (at) => ({
		type: "rename",
		from: at(1),
		to: at(2),
		folders: at(3).split(" and "),
	})),
	formerly: reader(PATTERNS.formerly, (at) => ({
		type: "formerly",
		old: at(1),
		to: at(2),
		folders: at(3).split(" and "),
	})),
	undo: reader(PATTERNS.undo, (at) => ({ type: "undo", name: at(1) })),
	export: reader(PATTERNS.export, (at) => ({
		type: "export",
		option: at(1),
		value: Number(at(2)),
		path: at(3),
		test: at(4),
	})),
	option: reader(PATTERNS.option, (at) => ({
		type: "option",
		option: at(1),
		value: Number(at(2)),
		config: at(3),
		settingsType: at(4),
		name: at(5),
		local: at(6),
	})),
	introduce: reader(PATTERNS.introduce, (at) => ({
		type: "introduce",
		description: at(1),
		value: Number(at(2)),
		path: at(3),
	})),
	adjust: reader(PATTERNS.adjust, (at) => ({ type: "adjust", description: at(1), value: Number(at(2)) })),
	match: reader(PATTERNS.match, (at) => ({ type: "match", description: at(1), model: at(2) })),
	question: reader(PATTERNS.question, (at) => ({
		type: "question",
		fact: at(1) === "file" ? "file" : "value",
		name: at(2),
		notes: at(3),
	})),
	home: reader(PATTERNS.home, (at) => ({ type: "ask", fact: "home", about: at(1) })),
	mentions: reader(PATTERNS.mentions, (at) => ({ type: "ask", fact: "mentions", about: at(1) })),
	described: reader(PATTERNS.described, (at) => ({ type: "ask", fact: "described", about: at(1) })),
};
