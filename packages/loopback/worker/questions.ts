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

/** The first group of the first match in what the session held. */
type Find = (pattern: string) => string;

/** The questions about the first task of a kind: its subject, and the answers by question. */
const ASKED: {
	readonly [K in Assignment["type"]]?: (
		task: Of<K>,
		find: Find,
	) => readonly [subject: string, answers: Readonly<Record<string, string>>];
} = {
	introduce: ({ description, value }, find) => [
		description,
		{
			[`the first value of the constant for "${description}"`]: `${value}`,
			"the name of that constant": find(`${escapePattern(description)}\\W+export const (\\w+)`),
		},
	],
	question: ({ name, notes }, find) => [
		name,
		{ [`the value found for ${name}`]: find(`${name}: (\\d+)`), "the note with that value": notes },
	],
	rename: ({ from, to }) => [from, { [`the new name of ${from}`]: to }],
	told: ({ subject, code }) => [subject, { [`the first code of "${subject}"`]: code }],
	show: ({ title, wording }) => [title, { [`the exact wording of the "${title}"`]: wording }],
	decide: ({ name, value, reason }, find) => [
		name,
		{
			[`the reason of the new value of ${name}`]: reason,
			"the value before it": find(`export const ${name} = (?!${value}\\b)(\\d+)`),
			"the file with that constant": find(`^([\\w./-]+\\.ts)\\b[^\\n]*\\n?[^\\n]*export const ${name} = `),
		},
	],
	deploy({ label }, find) {
		const advised = escapePattern(adviceLine(label, "NAME", ""));
		return [
			label,
			{
				[`the id in the log of the deployment ${label}`]: find(
					`${escapePattern(idLine(label, ""))}(d-[0-9a-f]+)`,
				),
				"the constant that log advises": find(advised.replace("NAME", "(\\w+)")),
				"its advised value": find(`${advised.replace("NAME", "\\w+")}(\\d+)`),
			},
		];
	},
};

/**
 * Questions about the first task of each kind. Of hard tasks these are twelve, of which six are answered by no prompt.
 * @param history the texts of the session, oldest first
 */
export function makeQuestions(prompts: readonly string[], history: readonly string[]): readonly Question[] {
	const assignments = prompts.flatMap((prompt) => parseAssignment(prompt) ?? []);
	const held = history.join("\n");
	const find: Find = (pattern) => new RegExp(pattern, "m").exec(held)?.[1] ?? "";
	const askFirst = <K extends Assignment["type"]>(kind: K): readonly Question[] => {
		const first = assignments.find((one): one is Extract<Assignment, Of<K>> => one.type === kind);
		const [subject = "", answers = {}] = (first && ASKED[kind]?.(first, find)) ?? [];
		return Object.entries(answers).map(([question, answer]) => ({ question, answer, subject }));
	};
	// Object.keys knows no literal keys.
	const kinds = Object.keys(ASKED) as readonly Assignment["type"][];
	const [first, second] = assignments.flatMap((one) => (one.type === "deploy" ? [one.label] : []));
	return [
		...kinds.flatMap(askFirst),
		...(first && second
			? [{ question: "the deployment after it", answer: second, subject: first, isOrder: true }]
			: []),
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
