/** The questions that the demo asks about its first tasks, and which of them a context answers. No model is asked. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Assignment, parseAssignment } from "#loopback";
import type { HostMessage } from "#pi/codec/host-message.ts";
import { countedTexts } from "#pi/codec/messages.ts";

export interface DemoQuestion {
	readonly question: string;
	/** A name, a path or a number. */
	readonly answer: string;
	/** The query that an agent would recall the answer with. */
	readonly subject: string;
}

/** Counts of questions. */
export interface DemoAnswers {
	/** The last request holds the answer. */
	readonly inContext: number;
	/** The last request or one recall gives the answer; absent where there is no recall tool. */
	readonly withRecall?: number;
}

/** Questions about the first task of each kind. Two answers are in no prompt; those are read from the repository. */
export async function makeQuestions(
	prompts: readonly string[],
	repository: string,
): Promise<readonly DemoQuestion[]> {
	const assignments = prompts.map(parseAssignment);
	const firsts = ["introduce", "question", "rename"].map((type) =>
		assignments.find((each) => each?.type === type),
	);
	const asked = firsts.map((assignment) => (assignment ? askAbout(assignment, repository) : []));
	return (await Promise.all(asked)).flat();
}

async function askAbout(assignment: Assignment, repository: string): Promise<readonly DemoQuestion[]> {
	const find = async (path: string, before: string, pattern: string) => {
		const text = await readFile(join(repository, path), "utf8").catch(() => "");
		return new RegExp(`${before}${pattern}`).exec(text)?.[1] ?? "";
	};
	switch (assignment.type) {
		case "introduce": {
			const { description: subject, value, path } = assignment;
			const name = await find(path, subject, "\\W+export const (\\w+)");
			return [
				{ question: `the first value of the constant for "${subject}"`, answer: `${value}`, subject },
				{ question: "the name of that constant", answer: name, subject },
			];
		}
		case "question": {
			const { name: subject, notes } = assignment;
			const value = await find(notes, subject, ": (\\d+)");
			return [
				{ question: `the value found for ${subject}`, answer: value, subject },
				{ question: "the note with that value", answer: notes, subject },
			];
		}
		case "rename":
			return [
				{ question: `the new name of ${assignment.from}`, answer: assignment.to, subject: assignment.from },
			];
		default:
			return [];
	}
}

/** Counts the questions that messages answer, and those that one recall answers if they do not. */
export function countAnswers(
	questions: readonly DemoQuestion[],
	{
		messages,
		recall,
	}: { readonly messages: readonly HostMessage[]; readonly recall?: (query: string) => string },
): DemoAnswers {
	const texts = messages.flatMap(countedTexts);
	const missing = questions.filter((question) => !texts.some((text) => isAnswered(question, text)));
	const inContext = questions.length - missing.length;
	if (!recall) return { inContext };
	const recalled = missing.filter((question) => isAnswered(question, recall(question.subject)));
	return { inContext, withRecall: inContext + recalled.length };
}

/** The distance from a subject to its value, in characters: that of a sentence or a declaration. */
const MAX_DISTANCE = 120;

/** A name or a path is an answer wherever it stands, a number only behind its subject. */
function isAnswered({ answer, subject }: DemoQuestion, text: string): boolean {
	if (answer === "") return false;
	if (!/^\d+$/.test(answer)) return text.includes(answer);
	return new RegExp(`${subject}.{0,${MAX_DISTANCE}}?\\b${answer}\\b`, "s").test(text);
}
