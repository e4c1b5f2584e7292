/** Questions about what a session held, with their answers, and which texts answer them. No model is asked. */
import { adviceLine, idLine } from "./deployment.ts";
import { escapePattern } from "./naming.ts";
import { type Assignment, type Of, parseAssignment } from "./phrasing.ts";

export interface Question {
	readonly question: string;
	/** A name, a path, a number or a wording; "" if the session did not hold it. */
	readonly answer: string;
	/** The query that an agent would recall the answer with. */
	readonly subject: string;
	/** True if the answer is that the subject came before it. */
	readonly isOrder?: boolean;
}

type Kind = Assignment["type"];
/** The first group of the first match in what the session held. */
type Find = (pattern: string) => string;

/**
 * Questions about the first task of each kind. Of hard tasks these are twelve, of which six are answered by no prompt.
 * @param history the texts of the session, oldest first
 */
export function makeQuestions(prompts: readonly string[], history: readonly string[]): readonly Question[] {
	const assignments = prompts.flatMap((prompt) => parseAssignment(prompt) ?? []);
	const held = history.join("\n");
	const find: Find = (pattern) => new RegExp(pattern, "m").exec(held)?.[1] ?? "";
	const of = <T extends Kind>(type: T) =>
		assignments.filter((each): each is Extract<Assignment, Of<T>> => each.type === type);
	return [
		...of("introduce")
			.slice(0, 1)
			.flatMap((first) => askAboutConstant(first, find)),
		...of("question")
			.slice(0, 1)
			.flatMap(({ name, notes }) => [
				{ question: `the value found for ${name}`, answer: find(`${name}: (\\d+)`), subject: name },
				{ question: "the note with that value", answer: notes, subject: name },
			]),
		...of("rename")
			.slice(0, 1)
			.map(({ from, to }) => {
				return { question: `the new name of ${from}`, answer: to, subject: from };
			}),
		...of("told")
			.slice(0, 1)
			.map(({ subject, code }) => {
				return { question: `the first code of "${subject}"`, answer: code, subject };
			}),
		...of("show")
			.slice(0, 1)
			.map(({ title, wording }) => {
				return { question: `the exact wording of the "${title}"`, answer: wording, subject: title };
			}),
		...of("decide")
			.slice(0, 1)
			.flatMap((first) => askAboutDecision(first, find)),
		...askAboutDeployments(of("deploy"), find),
	];
}

function askAboutConstant(
	{ description: subject, value }: Extract<Assignment, Of<"introduce">>,
	find: Find,
): readonly Question[] {
	const name = find(`${escapePattern(subject)}\\W+export const (\\w+)`);
	return [
		{ question: `the first value of the constant for "${subject}"`, answer: `${value}`, subject },
		{ question: "the name of that constant", answer: name, subject },
	];
}

function askAboutDecision(
	{ name: subject, value, reason }: Extract<Assignment, Of<"decide">>,
	find: Find,
): readonly Question[] {
	const before = find(`export const ${subject} = (?!${value}\\b)(\\d+)`);
	const path = find(`^([\\w./-]+\\.ts)\\b[^\\n]*\\n?[^\\n]*export const ${subject} = `);
	return [
		{ question: `the reason of the new value of ${subject}`, answer: reason, subject },
		{ question: "the value before it", answer: before, subject },
		{ question: "the file with that constant", answer: path, subject },
	];
}

function askAboutDeployments(
	[first, second]: readonly Extract<Assignment, Of<"deploy">>[],
	find: Find,
): readonly Question[] {
	if (!first || !second) return [];
	const { label: subject } = first;
	const advised = escapePattern(adviceLine(subject, "NAME", ""));
	return [
		{
			question: `the id in the log of the deployment ${subject}`,
			answer: find(`${escapePattern(idLine(subject, ""))}(d-[0-9a-f]+)`),
			subject,
		},
		{ question: "the constant that log advises", answer: find(advised.replace("NAME", "(\\w+)")), subject },
		{ question: "its advised value", answer: find(`${advised.replace("NAME", "\\w+")}(\\d+)`), subject },
		{ question: "the deployment after it", answer: second.label, subject, isOrder: true },
	];
}

/** The distance from a subject to its value, in characters: that of a sentence or a declaration. */
const MAX_DISTANCE = 120;

/** Counts of questions, and the indexes of those that stay without an answer. */
export interface Answers {
	readonly inSight: number;
	/** Not in sight, and the first page of one recall gives the answer. */
	readonly recalled: number;
	readonly lost: readonly number[];
}

/**
 * Counts the questions that a request answers, and those that one recall answers if it does not.
 * @param texts those of the request
 * @param recall left out where there is no such tool
 */
export function answerQuestions(
	questions: readonly Question[],
	texts: readonly string[],
	recall?: (query: string) => string,
): Answers {
	const missing = [...questions.entries()].filter(([, question]) => !isAnswered(question, texts));
	const lost = missing.filter(([, question]) => !recall || !isAnswered(question, [recall(question.subject)]));
	return {
		inSight: questions.length - missing.length,
		recalled: missing.length - lost.length,
		lost: lost.map(([index]) => index),
	};
}

/** A name or a wording is an answer wherever it stands; a number behind its subject, a path on either side of it. */
function isAnswered({ answer, subject, isOrder }: Question, texts: readonly string[]): boolean {
	if (answer === "") return false;
	if (isOrder) {
		const held = texts.join("\n");
		return held.includes(subject) && held.indexOf(subject) < held.indexOf(answer);
	}
	const near = (from: string, to: string) => {
		const pattern = `\\b${escapePattern(from)}\\b.{0,${MAX_DISTANCE}}?\\b${escapePattern(to)}\\b`;
		return texts.some((text) => new RegExp(pattern, "s").test(text));
	};
	if (/^\d+$/.test(answer)) return near(subject, answer);
	return answer.includes("/")
		? near(subject, answer) || near(answer, subject)
		: texts.some((text) => text.includes(answer));
}
