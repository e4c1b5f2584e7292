/** Questions about what a session held, with their answers, and which texts answer them. No model is asked. */
import { escapePattern } from "./naming.ts";
import { fillFields, parseAssignment } from "./phrasing.ts";
import TEXTS from "./texts.json" with { type: "json" };

export interface Question {
	readonly question: string;
	/** A name, a path, a number or a wording; "" if the session did not hold it. */
	readonly answer: string;
	/** The query that an agent would recall the answer with. */
	readonly subject: string;
	/** True if the answer is that the subject came before it. */
	readonly isOrder?: boolean;
}

/**
 * Questions about the first task of each kind, by the table in texts.json. Of hard tasks these are twelve, of which six are answered by no prompt.
 * @param history the texts of the session, oldest first
 */
export function makeQuestions(prompts: readonly string[], history: readonly string[]): readonly Question[] {
	const assignments = prompts.flatMap((prompt) => parseAssignment(prompt) ?? []);
	const held = history.join("\n");
	const asked = TEXTS.questions.flatMap(({ kind, subject, question, answer, pattern = "" }): Question[] => {
		const first = assignments.find(({ type }) => type === kind);
		if (!first) return [];
		/** The first group of the first match in what the session held. */
		const found = () => new RegExp(fillFields(pattern, first, escapePattern), "m").exec(held)?.[1] ?? "";
		return [
			{
				question: fillFields(question, first),
				answer: answer ? fillFields(answer, first) : found(),
				subject: fillFields(subject, first),
			},
		];
	});
	const [first, second] = assignments.flatMap((one) => (one.type === "deploy" ? [one.label] : []));
	if (!first || !second) return asked;
	return [...asked, { question: "the deployment after it", answer: second, subject: first, isOrder: true }];
}

/** The distance from a subject to its value, in characters: that of a sentence or a declaration. */
const MAX_DISTANCE = 120;

/**
 * Counts the questions that a request answers, and those that one recall answers if it does not.
 * @param texts those of the request
 * @param recall left out where there is no such tool
 */
export function answerQuestions(
	questions: readonly Question[],
	texts: readonly string[],
	recall?: (query: string) => string,
) {
	const missing = [...questions.entries()].filter(([, question]) => !isAnswered(question, texts));
	const lost = missing.filter(([, question]) => !recall || !isAnswered(question, [recall(question.subject)]));
	return {
		inSight: questions.length - missing.length,
		/** Not in sight, and the first page of one recall gives the answer. */
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
